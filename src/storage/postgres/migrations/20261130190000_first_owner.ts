import type { Knex } from 'knex';

/** The account that a start makes for the owner, from before it is stored until its password is printed. */
export async function up(db: Knex): Promise<void> {
  await db.raw('create table durable.first_owner (account_id bigint primary key)');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.first_owner');
}

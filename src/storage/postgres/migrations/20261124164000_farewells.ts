import type { Knex } from 'knex';

/** Marks activities that end a follow: they go out to servers with which nothing else is exchanged any more. */
export async function up(db: Knex): Promise<void> {
  await db.raw(
    'alter table durable.federation_activities add column farewell boolean not null default false',
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table durable.federation_activities drop column farewell');
}

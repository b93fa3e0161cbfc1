import type { Knex } from 'knex';

/** Which log the read models of this database are made of: its first event, and where that stands. At most one row. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.log_identity (
      only_one boolean primary key default true check (only_one),
      position bigint not null,
      event_id uuid not null
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.log_identity');
}

import type { Knex } from 'knex';

/** Backups that this database was filled from. While one of them is not finished, no server starts. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.restores (
      backup_id uuid primary key,
      taken_at timestamptz not null,
      position bigint not null,
      restored_at timestamptz not null default now(),
      finished_at timestamptz
    )
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.restores');
}

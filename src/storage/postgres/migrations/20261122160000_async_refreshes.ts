import type { Knex } from 'knex';

/** Background work that clients can wait for. Nothing is lost with it. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.async_refreshes (
      id text collate "C" primary key,
      key text collate "C" not null unique,
      started_at timestamptz not null,
      finished_at timestamptz,
      result_count integer
    );
    create index async_refreshes_started_at on durable.async_refreshes (started_at);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.async_refreshes');
}

import type { Knex } from 'knex';

/**
 * Popular items by the latest count. The clock decides besides the log, so it is no projection; a loss does
 * not matter, since it is counted again every few minutes.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.rankings (
      kind text collate "C",
      place integer,
      key text collate "C" not null,
      primary key (kind, place)
    );

    create table durable.ranking_times (
      kind text primary key,
      ranked_at timestamptz not null
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.rankings, durable.ranking_times');
}

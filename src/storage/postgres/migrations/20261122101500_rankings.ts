import type { Knex } from 'knex';

/**
 * What is popular, as it was counted last. It hangs on the clock and not on the log alone, so it is no projection; nothing is
 * lost with it, since it is counted anew every few minutes.
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

import type { Knex } from 'knex';

/**
 * The timers: when each runs next, when it last acted, and whether it fails. Not in the log: it is the state of
 * work, which nothing follows from.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.timers (
      name text primary key,
      next_at timestamptz,
      fired_at timestamptz,
      fired bigint not null default 0,
      failing integer not null default 0,
      error text,
      failing_since timestamptz,
      seen_at timestamptz not null
    )
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.timers');
}

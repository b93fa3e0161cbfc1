import type { Knex } from 'knex';

/**
 * How long builds took, those that staff started, how many events read models took of late, and how fast other
 * servers answer. Not in the log: it is the state of work, which nothing follows from.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table durable.projections add column build_seconds double precision;
    alter table durable.federation_hosts add column average_ms double precision;
    create table durable.projection_runs (
      id bigint primary key,
      name text not null,
      kind text not null,
      state text not null default 'running',
      started_at timestamptz not null default clock_timestamp(),
      seen_at timestamptz not null default clock_timestamp(),
      position bigint not null default 0,
      head bigint not null default 0,
      events bigint not null default 0,
      done bigint,
      total bigint,
      estimated boolean not null default false,
      digests jsonb,
      error text,
      cancel boolean not null default false
    );
    create unique index projection_runs_running on durable.projection_runs ((true)) where state = 'running';
    create index projection_runs_started_at on durable.projection_runs (started_at);
    create table durable.projection_rates (
      at timestamptz not null default clock_timestamp(),
      seconds double precision not null,
      events jsonb not null
    );
    create index projection_rates_at on durable.projection_rates (at);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table durable.projection_runs, durable.projection_rates;
    alter table durable.projections drop column build_seconds;
    alter table durable.federation_hosts drop column average_ms;
  `);
}

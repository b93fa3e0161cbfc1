import type { Knex } from 'knex';

/** How far each reactor is in the log, and the events that it could not take. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.reactors (
      name text primary key,
      position bigint not null
    );

    create table durable.set_aside_events (
      reactor text not null,
      event_id uuid not null,
      event_type text not null,
      stream text not null,
      position bigint not null,
      attempts integer not null,
      error text not null,
      set_aside_at timestamptz not null default now(),
      retry boolean not null default false,
      primary key (reactor, event_id)
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.reactors, durable.set_aside_events');
}

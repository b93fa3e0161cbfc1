import type { Knex } from 'knex';

/**
 * Events whose personal fields cannot be decrypted, and the read models take as erased. `cause` is `fields` or `key`. `reported_at` is
 * the time at which the audit log got it. `accepted`: an accepted divergence of the log covers the event.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.damaged_events (
      position bigint primary key,
      event_id text not null,
      event_type text not null,
      subject text not null,
      cause text not null,
      accepted boolean not null default false,
      found_at timestamptz not null default now(),
      reported_at timestamptz
    );
    create index damaged_events_subject on durable.damaged_events (subject)
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.damaged_events');
}

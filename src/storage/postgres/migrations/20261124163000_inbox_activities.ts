import type { Knex } from 'knex';

/**
 * Activities of other servers that wait to be carried out. Not in the log: what follows from them is. A row is gone once that is
 * done, mostly within some milliseconds.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.inbox_activities (
      id bigint generated always as identity primary key,
      key text collate "C" not null unique,
      host text collate "C" not null,
      actor text collate "C" not null,
      kind text not null,
      body text not null,
      command text not null,
      followers text,
      featured text,
      attempts integer not null default 0,
      due_at timestamptz not null default now(),
      leased_until timestamptz
    );
    create index inbox_activities_host on durable.inbox_activities (host, id);
    create index inbox_activities_actor on durable.inbox_activities (actor, id);
    create index inbox_activities_leased on durable.inbox_activities (actor) where leased_until is not null;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.inbox_activities');
}

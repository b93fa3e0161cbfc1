import type { Knex } from 'knex';

/** Indexes for the claims of the inbox: letters that were not tried yet, those that failed, and those that are carried out. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    drop index durable.inbox_activities_actor;
    drop index durable.inbox_activities_leased;
    create index inbox_activities_fresh on durable.inbox_activities (host, id, actor) where attempts = 0;
    create index inbox_activities_failed on durable.inbox_activities (host, id) where attempts > 0;
    create index inbox_activities_leased on durable.inbox_activities (leased_until, actor)
      where leased_until is not null;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop index durable.inbox_activities_fresh;
    drop index durable.inbox_activities_failed;
    drop index durable.inbox_activities_leased;
    create index inbox_activities_actor on durable.inbox_activities (actor, id);
    create index inbox_activities_leased on durable.inbox_activities (actor) where leased_until is not null;
  `);
}

import type { Knex } from 'knex';

/**
 * Objects that remote actors withdrew before they arrived: digests of their URIs and of the actor's. Kept for
 * a limited time.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.withdrawn (
      digest bytea primary key,
      withdrawn_at timestamptz not null default now()
    );
    create index withdrawn_time on durable.withdrawn (withdrawn_at);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.withdrawn');
}

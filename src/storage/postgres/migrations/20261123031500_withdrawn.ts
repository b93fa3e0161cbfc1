import type { Knex } from 'knex';

/** What actors of other servers took back before it came: digests of their URIs and its own. Nothing that is kept for ever. */
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

import type { Knex } from 'knex';

/** Posts of other servers that were deleted before they came: digests of their authors' and their URIs. Nothing that is kept for ever. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.withdrawn_posts (
      digest bytea primary key,
      withdrawn_at timestamptz not null default now()
    );
    create index withdrawn_posts_time on durable.withdrawn_posts (withdrawn_at);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.withdrawn_posts');
}

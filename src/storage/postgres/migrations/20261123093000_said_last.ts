import type { Knex } from 'knex';

/** When actors of other servers said last what they are now: digests of their URIs. Nothing that is kept for ever. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.said_last (
      digest bytea primary key,
      said_at timestamptz not null,
      noted_at timestamptz not null default now()
    );
    create index said_last_time on durable.said_last (noted_at);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.said_last');
}

import type { Knex } from 'knex';

/** Descriptions of pages, for a while; without a card: the page had none. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.link_previews (
      url_digest bytea primary key,
      card jsonb,
      expires_at timestamptz not null
    );
    create index link_previews_expires_at on durable.link_previews (expires_at);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.link_previews');
}

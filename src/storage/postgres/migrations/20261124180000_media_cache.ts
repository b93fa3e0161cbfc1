import type { Knex } from 'knex';

/**
 * Files of other servers that are kept for a while. A row is there before its file and goes after it, and the totals change in the
 * same transactions.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.media_cache (
      kind text,
      digest text collate "C",
      variant text,
      class text not null,
      host text collate "C" not null,
      key text not null,
      bytes bigint not null,
      still boolean not null,
      state text not null check (state in ('writing', 'kept', 'leaving')),
      changed_at timestamptz not null default now(),
      seen_at timestamptz not null default now(),
      primary key (kind, digest, variant)
    );
    create index media_cache_seen on durable.media_cache (seen_at);
    create index media_cache_host on durable.media_cache (host, seen_at);
    create table durable.media_cache_totals (
      scope text,
      name text collate "C",
      bytes bigint not null,
      files bigint not null,
      primary key (scope, name)
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.media_cache, durable.media_cache_totals');
}

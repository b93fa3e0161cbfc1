import type { Knex } from 'knex';

/**
 * Verified cosignatures of the checkpoints of this log: `text` is the signed text of a checkpoint, `time` is in seconds
 * since 1970. The other tables belong to this server as a witness of other logs: the latest checkpoint of each that it
 * cosigned, and signed checkpoints that do not continue it. Roots are 32 bytes.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.log_cosignatures (
      tree_size bigint not null,
      text text not null,
      witness text not null,
      time bigint not null,
      line text not null,
      primary key (tree_size, text, witness)
    );

    create table durable.witnessed_logs (
      origin text primary key,
      tree_size bigint not null,
      root bytea not null,
      note text not null,
      cosigned_at timestamptz not null
    );

    create table durable.witnessed_forks (
      id bigint generated always as identity primary key,
      origin text not null,
      tree_size bigint not null,
      root bytea not null,
      note text not null,
      known_size bigint not null,
      known_note text not null,
      is_proven boolean not null,
      seen_at timestamptz not null default now(),
      unique (origin, tree_size, root)
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.log_cosignatures, durable.witnessed_logs, durable.witnessed_forks');
}

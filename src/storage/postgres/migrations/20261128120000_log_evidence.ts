import type { Knex } from 'knex';

/**
 * Evidence about the log beside its checkpoints. Checkpoints get a number and a keyed digest of their row, so
 * that a deleted or changed one shows; rows of earlier versions have neither. `log_verifications` has one row:
 * the last verification of the whole log. A divergence is a signed statement of the operator that the log
 * differs from an earlier checkpoint; it supersedes the checkpoints that the log contradicts. Access tokens get
 * a keyed digest of what was granted.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table durable.log_checkpoints
      add column number bigint,
      add column digest bytea,
      add column divergence bigint;
    create unique index log_checkpoints_number on durable.log_checkpoints (number);

    alter table durable.access_tokens add column grant_digest bytea;
    create index access_tokens_without_digest on durable.access_tokens (id) where grant_digest is null;

    create table durable.log_verifications (
      is_only boolean primary key default true check (is_only),
      finished_at timestamptz not null,
      events bigint not null,
      position bigint not null,
      problem text
    );

    create table durable.log_divergences (
      number bigint primary key,
      id uuid not null unique,
      tree_size bigint not null,
      note text not null,
      accepted_at timestamptz not null
    );

    create table durable.log_witnesses (
      url text primary key,
      tree_size bigint not null default 0,
      tried_at timestamptz not null default now(),
      posted_at timestamptz,
      cosignature text,
      error text,
      contradicts boolean not null default false
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table durable.log_witnesses, durable.log_divergences, durable.log_verifications;
    alter table durable.access_tokens drop column grant_digest;
    alter table durable.log_checkpoints drop column number, drop column digest, drop column divergence;
  `);
}

import type { Knex } from 'knex';

/**
 * The archive that each account asked for last. `file` is what its last try is called where files are; `secret` opens it, sealed with
 * the master key.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.archives (
      account_id bigint primary key,
      id bigint not null unique,
      requested_at timestamptz not null default now(),
      touched_at timestamptz not null default now(),
      tries integer not null default 0,
      file text,
      secret bytea,
      size bigint,
      missing integer,
      failed boolean not null default false,
      finished_at timestamptz,
      mailed_at timestamptz
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.archives');
}

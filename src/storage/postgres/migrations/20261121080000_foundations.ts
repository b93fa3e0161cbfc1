import type { Knex } from 'knex';

/** Checkpoints of projections, the keys of data subjects, and remembered idempotency keys. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.projections (
      name text not null,
      version integer not null,
      "group" text not null,
      position bigint not null,
      failure jsonb,
      primary key (name, version)
    );

    create table durable.subject_keys (
      subject text primary key,
      wrapped bytea,
      created_at timestamptz not null default now(),
      destroyed_at timestamptz
    );

    create table durable.idempotency_keys (
      owner text not null,
      key_digest bytea not null,
      command_id uuid not null,
      first_id bigint not null,
      now timestamptz not null,
      primary key (owner, key_digest)
    );
    create index idempotency_keys_now on durable.idempotency_keys (now);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.projections, durable.subject_keys, durable.idempotency_keys');
}

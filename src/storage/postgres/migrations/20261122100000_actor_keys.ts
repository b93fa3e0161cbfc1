import type { Knex } from 'knex';

/**
 * The signing keys of local accounts. The private key is sealed with the master key and cannot be recreated.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.actor_keys (
      account_id bigint primary key,
      public_key text not null,
      wrapped_private_key bytea not null,
      created_at timestamptz not null default now()
    )
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.actor_keys');
}

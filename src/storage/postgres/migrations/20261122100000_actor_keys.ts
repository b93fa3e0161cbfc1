import type { Knex } from 'knex';

/** What accounts of this server sign with. The private key is wrapped by the master key; nothing can make it again. */
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

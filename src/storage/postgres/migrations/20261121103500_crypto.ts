import type { Knex } from 'knex';

/**
 * End-to-end encrypted mail in transit. Not in the log: one-time keys are used up, messages go when they were fetched, and
 * the server can neither read them nor has any use for them after. A device goes with its access token.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.crypto_devices (
      id bigint generated always as identity primary key,
      access_token_id bigint not null unique references durable.access_tokens (id) on delete cascade,
      account_id bigint not null,
      device_id text not null,
      name text not null,
      identity_key text not null,
      fingerprint_key text not null,
      unique (account_id, device_id)
    );

    create table durable.crypto_one_time_keys (
      id bigint generated always as identity primary key,
      crypto_device_id bigint not null references durable.crypto_devices (id) on delete cascade,
      key_id text not null,
      key text not null,
      signature text not null,
      unique (crypto_device_id, key_id)
    );
    create index crypto_one_time_keys_oldest on durable.crypto_one_time_keys (crypto_device_id, id);

    create table durable.crypto_messages (
      id bigint generated always as identity primary key,
      crypto_device_id bigint not null references durable.crypto_devices (id) on delete cascade,
      from_account_id bigint not null,
      from_device_id text not null,
      type integer not null,
      body text not null,
      digest text not null,
      message_franking text not null,
      created_at timestamptz not null
    );
    create index crypto_messages_of_device on durable.crypto_messages (crypto_device_id, id);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.crypto_messages, durable.crypto_one_time_keys, durable.crypto_devices');
}

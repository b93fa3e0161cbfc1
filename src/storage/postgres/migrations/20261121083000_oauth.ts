import type { Knex } from 'knex';

/**
 * Secrets of OAuth and of people, all hashed. Applications, accounts and users themselves are read models, which come and
 * go with rebuilds: nothing here refers to them by a foreign key.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.application_secrets (
      application_id bigint primary key,
      secret_hash bytea not null,
      created_at timestamptz not null default now()
    );

    create table durable.authorization_codes (
      code_hash bytea primary key,
      application_id bigint not null,
      account_id bigint not null,
      redirect_uri text not null,
      scopes text not null,
      code_challenge text,
      expires_at timestamptz not null,
      used_at timestamptz,
      reused_at timestamptz
    );
    create index authorization_codes_expires_at on durable.authorization_codes (expires_at);
    create index authorization_codes_account_id on durable.authorization_codes (account_id);

    create table durable.access_tokens (
      id bigint generated always as identity primary key,
      token_hash bytea not null unique,
      application_id bigint not null,
      account_id bigint,
      scopes text not null,
      code_hash bytea,
      created_at timestamptz not null default now(),
      revoked_at timestamptz
    );
    create index access_tokens_account_id on durable.access_tokens (account_id) where revoked_at is null;
    create index access_tokens_code_hash on durable.access_tokens (code_hash) where code_hash is not null;

    create table durable.sessions (
      session_hash bytea primary key,
      account_id bigint not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    );
    create index sessions_expires_at on durable.sessions (expires_at);
    create index sessions_account_id on durable.sessions (account_id);

    create table durable.credentials (
      account_id bigint primary key,
      password_hash text not null,
      changed_at timestamptz not null default now()
    );

    create table durable.one_time_codes (
      code_hash bytea primary key,
      kind text not null,
      account_id bigint not null,
      value text not null,
      created_at timestamptz not null default now()
    );
    create index one_time_codes_created_at on durable.one_time_codes (created_at);
    create index one_time_codes_account_id on durable.one_time_codes (account_id, kind);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table durable.application_secrets, durable.authorization_codes, durable.access_tokens, durable.sessions,
      durable.credentials, durable.one_time_codes
  `);
}

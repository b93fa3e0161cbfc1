import type { Knex } from 'knex';

/**
 * Keys that accounts signed with before a rotation, wrapped as the present ones are. The activity that tells of the new key is signed with
 * them, so they are kept for as long as it may be on its way.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.retired_actor_keys (
      id bigint primary key,
      account_id bigint not null,
      wrapped_private_key bytea not null,
      retired_at timestamptz not null default now()
    );
    alter table durable.federation_activities add column retired_key bigint
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    alter table durable.federation_activities drop column retired_key;
    drop table durable.retired_actor_keys
  `);
}

import type { Knex } from 'knex';

/**
 * The Ed25519 pairs of local accounts, which make object integrity proofs. Older rows are completed when their key is first asked for. The
 * public key is a Multikey, the private one is sealed with the master key.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table durable.actor_keys
      add column assertion_key text,
      add column wrapped_assertion_key bytea,
      add check ((assertion_key is null) = (wrapped_assertion_key is null))
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table durable.actor_keys drop column assertion_key, drop column wrapped_assertion_key');
}

import type { Knex } from 'knex';

/**
 * Browsers in which the right password was given and the code of the second step is due. These are no
 * sessions: the user is not signed in.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.sign_in_steps (
      session_hash bytea primary key,
      account_id bigint not null,
      expires_at timestamptz not null
    );
    create index sign_in_steps_expires_at on durable.sign_in_steps (expires_at);
    create index sign_in_steps_account_id on durable.sign_in_steps (account_id);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.sign_in_steps');
}

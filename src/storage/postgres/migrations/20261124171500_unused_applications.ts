import type { Knex } from 'knex';

/** Registrations of applications that have no token yet; null once the application is in the log. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table durable.application_secrets add column registration jsonb;
    create index application_secrets_unused on durable.application_secrets (created_at) where registration is not null;
    create index access_tokens_of_applications on durable.access_tokens (application_id, created_at)
      where account_id is null;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop index durable.access_tokens_of_applications;
    drop index durable.application_secrets_unused;
    alter table durable.application_secrets drop column registration;
  `);
}

import type { Knex } from 'knex';

/** Marks activities for followers alone: what goes out with them says which followers the sender has there. */
export async function up(db: Knex): Promise<void> {
  await db.raw(
    'alter table durable.federation_activities add column followers_only boolean not null default false',
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table durable.federation_activities drop column followers_only');
}

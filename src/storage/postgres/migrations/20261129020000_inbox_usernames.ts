import type { Knex } from 'knex';

/** The name of an unknown actor in its document: its server may have been set up anew under known names. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table durable.inbox_activities add column username text');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table durable.inbox_activities drop column username');
}

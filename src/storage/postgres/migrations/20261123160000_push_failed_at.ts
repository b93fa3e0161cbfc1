import type { Knex } from 'knex';

/** When a failure of a push service was counted last: an outage is not as many failures as there are messages. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table durable.push_subscriptions add column failed_at timestamptz');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table durable.push_subscriptions drop column failed_at');
}

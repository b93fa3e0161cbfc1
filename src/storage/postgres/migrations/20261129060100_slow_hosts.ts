import type { Knex } from 'knex';

/** How long the last attempt to deliver took, for the order of deliveries: a host that was slow waits apart. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table durable.federation_hosts add column last_ms double precision');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table durable.federation_hosts drop column last_ms');
}

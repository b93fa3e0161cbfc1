import type { Knex } from 'knex';

/** Indexes for the claims of deliveries: those that were not tried yet, in their order, and those that were. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    drop index durable.federation_deliveries_subject;
    create index federation_deliveries_fresh on durable.federation_deliveries (host, activity_id, inbox, subject)
      where attempts = 0;
    create index federation_deliveries_tried on durable.federation_deliveries (host, inbox, subject)
      where attempts > 0;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop index durable.federation_deliveries_fresh;
    drop index durable.federation_deliveries_tried;
    create index federation_deliveries_subject on durable.federation_deliveries (inbox, subject, activity_id);
  `);
}

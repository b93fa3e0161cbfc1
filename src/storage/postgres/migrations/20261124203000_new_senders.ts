import type { Knex } from 'knex';

/** How many actors of a site were first known here by what they sent, each day (UTC). Kept for two days. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.new_senders (
      site text,
      day date,
      senders integer not null,
      primary key (site, day)
    );
    create index new_senders_day on durable.new_senders (day);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.new_senders');
}

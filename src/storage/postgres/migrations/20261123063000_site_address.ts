import type { Knex } from 'knex';

/** Under which domain, and where, the accounts of this server were made. At most one row. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.site_address (
      only_one boolean primary key default true check (only_one),
      domain text not null,
      origin text not null
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.site_address');
}

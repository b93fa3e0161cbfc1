import type { Knex } from 'knex';

/** The digests of the code that built a read model; null where an earlier version built it. */
export async function up(db: Knex): Promise<void> {
  await db.raw(
    'alter table durable.projections add column tables_digest text, add column handlers_digest text',
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table durable.projections drop column tables_digest, drop column handlers_digest');
}

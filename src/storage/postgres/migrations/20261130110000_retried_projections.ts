import type { Knex } from 'knex';

/**
 * How the last retry of a halted read model ended, and the events that a read model lacks until it is rebuilt: they were left out, and
 * shall be taken again.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table durable.projections add column last_try jsonb;
    alter table durable.projection_skips add column unskipped_at timestamptz;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    delete from durable.projection_skips where unskipped_at is not null;
    alter table durable.projection_skips drop column unskipped_at;
    alter table durable.projections drop column last_try;
  `);
}

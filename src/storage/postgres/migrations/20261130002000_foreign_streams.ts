import type { Knex } from 'knex';

/** Streams in which another program wrote, with its first event there that was read. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.foreign_streams (
      stream text primary key,
      type text not null,
      position bigint not null
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.foreign_streams');
}

import type { Knex } from 'knex';

/** Tells a restore of a backup from an accepted loss of the log's end: until either is finished, no server starts. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table durable.restores add column kind text not null default 'backup'
      check (kind in ('backup', 'lost_end'))
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table durable.restores drop column kind');
}

import type { Knex } from 'knex';

/** The versions of the program that have used this data, so that an older one can name the one it would harm. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.program_versions (
      version text primary key,
      first_started_at timestamptz not null default now()
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.program_versions');
}

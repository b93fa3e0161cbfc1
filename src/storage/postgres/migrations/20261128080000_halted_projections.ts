import type { Knex } from 'knex';

/** A read model that met an event which it cannot handle leaves its group until that is mended, or skips the event. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table durable.projections add column halted boolean not null default false, add column built_at timestamptz;
    create table durable.projection_skips (
      name text,
      position bigint,
      event_id text not null,
      event_type text not null,
      reason text not null,
      skipped_at timestamptz not null default now(),
      primary key (name, position)
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(
    'drop table durable.projection_skips; alter table durable.projections drop column halted, drop column built_at;',
  );
}

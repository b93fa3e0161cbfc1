import type { Knex } from 'knex';

/**
 * Alerts to the operator: one row from its being raised to its being resolved. The log says who acknowledged one.
 * `backups` has a row for each finished backup of this server.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.alerts (
      id bigint primary key,
      name text not null,
      subject text not null,
      detail text not null,
      raised_at timestamptz not null,
      resolved_at timestamptz
    );
    create unique index alerts_open on durable.alerts (name, subject) where resolved_at is null;

    create table durable.backups (
      taken_at timestamptz primary key,
      finished_at timestamptz not null default now(),
      position bigint not null,
      events bigint not null,
      folder text not null,
      media text not null,
      keys boolean not null
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.alerts, durable.backups');
}

import type { Knex } from 'knex';

/**
 * Activities on their way to other servers, how these servers are doing, and who was sent which post. Not in the log: it is the
 * state of an exchange, which nothing here follows from, and most of it is gone within seconds.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.federation_activities (
      id bigint generated always as identity primary key,
      key text not null unique,
      sender bigint,
      actor text not null,
      status_id bigint,
      document text not null,
      created_at timestamptz not null default now()
    );
    create index federation_activities_status on durable.federation_activities (status_id) where status_id is not null;
    create index federation_activities_created_at on durable.federation_activities (created_at);

    create table durable.federation_deliveries (
      activity_id bigint not null references durable.federation_activities (id) on delete cascade,
      inbox text collate "C" not null,
      host text collate "C" not null,
      subject text collate "C" not null,
      attempts integer not null default 0,
      due_at timestamptz not null,
      leased_until timestamptz,
      primary key (activity_id, inbox)
    );
    create index federation_deliveries_host on durable.federation_deliveries (host, due_at);
    create index federation_deliveries_subject on durable.federation_deliveries (inbox, subject, activity_id);

    create table durable.federation_hosts (
      host text collate "C" primary key,
      failures integer not null default 0,
      down_since timestamptz,
      retry_at timestamptz,
      last_success_at timestamptz,
      last_failure_at timestamptz,
      last_failure text,
      delivered bigint not null default 0,
      refused bigint not null default 0,
      failed bigint not null default 0
    );

    create table durable.federation_receipts (
      status_id bigint,
      inbox text collate "C",
      sent_at timestamptz not null,
      delivered_at timestamptz,
      primary key (status_id, inbox)
    );
    create index federation_receipts_sent_at on durable.federation_receipts (sent_at);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table durable.federation_deliveries, durable.federation_activities, durable.federation_hosts,
      durable.federation_receipts
  `);
}

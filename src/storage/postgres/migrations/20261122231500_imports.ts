import type { Knex } from 'knex';

/** Files that people bring along from another server, row by row until they are carried out. `lists` and `settings` are JSON. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.imports (
      id bigint primary key,
      account_id bigint not null,
      type text not null,
      overwrite boolean not null,
      total integer not null,
      done integer not null default 0,
      failed integer not null default 0,
      lists text,
      begun_at timestamptz not null default now(),
      prepared_at timestamptz,
      finished_at timestamptz
    );
    create index imports_account on durable.imports (account_id, id desc);
    create index imports_finished_at on durable.imports (finished_at);
    create table durable.import_rows (
      import_id bigint not null references durable.imports (id) on delete cascade,
      line integer not null,
      value text not null,
      key text collate "C" not null,
      list_name text,
      settings text not null,
      reason text,
      primary key (import_id, line)
    );
    create index import_rows_key on durable.import_rows (import_id, key);
    create index import_rows_waiting on durable.import_rows (import_id, line) where reason is null;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.import_rows, durable.imports');
}

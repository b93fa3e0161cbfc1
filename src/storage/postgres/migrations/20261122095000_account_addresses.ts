import type { Knex } from 'knex';

/** IP addresses that users come from: personal, and gone after a while, so not in the log. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.account_addresses (
      account_id bigint not null,
      ip text not null,
      used_at timestamptz not null,
      primary key (account_id, ip)
    );
    create index account_addresses_newest on durable.account_addresses (account_id, used_at desc);
    create index account_addresses_used_at on durable.account_addresses (used_at);
    create index account_addresses_ip on durable.account_addresses (ip);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.account_addresses');
}

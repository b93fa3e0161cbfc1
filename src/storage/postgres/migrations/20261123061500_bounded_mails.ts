import type { Knex } from 'knex';

/**
 * The number of mails of a kind to a mailbox since the first of them; `mailbox` is a keyed digest. Kept for
 * some days.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.bounded_mails (
      mailbox text not null,
      bound text not null,
      since timestamptz not null,
      mails integer not null,
      primary key (mailbox, bound)
    );
    create index bounded_mails_since on durable.bounded_mails (since);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.bounded_mails');
}

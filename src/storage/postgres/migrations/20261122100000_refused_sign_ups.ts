import type { Knex } from 'knex';

/** How often blocked mail domains were tried, by day; `mailbox` is a keyed digest. Nothing that the log should keep for ever. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.refused_sign_ups (
      domain text not null,
      day date not null,
      mailbox text not null,
      attempts integer not null,
      primary key (domain, day, mailbox)
    );
    create index refused_sign_ups_day on durable.refused_sign_ups (day);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.refused_sign_ups');
}

import type { Knex } from 'knex';

/**
 * The lowest level of the public tree of the log (https://c2sp.org/tlog-tiles): the hashes of 256 events, and what is public of
 * them, a line each. The last row may have fewer. The log can fill it again.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.log_tiles (
      place bigint primary key,
      width smallint not null,
      hashes bytea not null,
      entries text not null,
      last_position bigint not null
    );
    alter table durable.log_tiles alter column hashes set storage external;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.log_tiles');
}

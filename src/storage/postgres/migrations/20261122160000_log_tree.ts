import type { Knex } from 'knex';

/**
 * Makes the log provable: hashes of its Merkle tree, one for 256 of the level below (leaves are level 0),
 * each with the position of the last event under it; and the signed checkpoints. The hashes can be computed
 * again from the log. The checkpoints attest its former content.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.log_subtrees (
      level smallint,
      place bigint,
      hash bytea not null,
      last_position bigint not null,
      primary key (level, place)
    );
    create index log_subtrees_last_position on durable.log_subtrees (last_position) where level = 1;

    create table durable.log_checkpoints (
      tree_size bigint,
      note text,
      position bigint not null,
      made_at timestamptz not null default now(),
      primary key (tree_size, note)
    );
    create index log_checkpoints_made_at on durable.log_checkpoints (made_at);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table durable.log_subtrees, durable.log_checkpoints');
}

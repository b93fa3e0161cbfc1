import { statement, type Db } from '../../kernel/read.ts';

const NEWEST = statement(
  'log_checkpoints_newest',
  'select note, made_at from durable.log_checkpoints order by tree_size desc, made_at desc limit 1',
);
const AT = statement(
  'log_checkpoints_at',
  'select note from durable.log_checkpoints where tree_size = $1 order by made_at desc limit 1',
);
const ALL = statement(
  'log_checkpoints_all',
  'select note, made_at from durable.log_checkpoints order by tree_size, made_at',
);
const STORE = statement(
  'log_checkpoints_store',
  `insert into durable.log_checkpoints (tree_size, note, position) values ($1, $2, $3)
   on conflict do nothing`,
);
/** Thins checkpoints older than a day to the last one of each hour. */
const THIN = statement(
  'log_checkpoints_thin',
  `delete from durable.log_checkpoints c
   where made_at between now() - interval '27 hours' and now() - interval '25 hours'
   and exists (
     select from durable.log_checkpoints later
     where later.made_at > c.made_at and later.made_at < date_trunc('hour', c.made_at) + interval '1 hour'
     and later.tree_size > c.tree_size
   )`,
);

/** A signed checkpoint. */
export interface StoredCheckpoint {
  note: string;
  /** ISO 8601. */
  madeAt: string;
}

interface Row {
  note: string;
  made_at: string;
}
const fromRow = ({ note, made_at }: Row): StoredCheckpoint => ({ note, madeAt: made_at });

/** Returns the checkpoint of the largest tree; undefined before the first. */
export async function newestCheckpoint(db: Db): Promise<StoredCheckpoint | undefined> {
  const [row] = await db.query<Row>(NEWEST);
  return row && fromRow(row);
}

/** Returns the checkpoint of a tree of this size, if any. */
export async function checkpointAt(db: Db, size: number): Promise<string | undefined> {
  const [row] = await db.query<{ note: string }>(AT, [size]);
  return row?.note;
}

/** Returns all stored checkpoints, small trees first: at most some 9,000 a year. */
export const storedCheckpoints = async (db: Db): Promise<StoredCheckpoint[]> =>
  (await db.query<Row>(ALL)).map(fromRow);

/** Stores a checkpoint. `position` is that of the last event in its tree. */
export async function storeCheckpoint(
  db: Db,
  { size, note, position }: { size: number; note: string; position: bigint },
): Promise<void> {
  await db.query(STORE, [size, note, String(position)]);
  await db.query(THIN);
}

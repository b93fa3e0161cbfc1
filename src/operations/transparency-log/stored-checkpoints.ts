import { type Db, statement } from '#kernel/read.ts';

const NEWEST = statement<Row>(
  'log_checkpoints_newest',
  `select note, made_at from durable.log_checkpoints where divergence is null
   order by tree_size desc, made_at desc limit 1`,
);
const AT = statement<{ note: string }>(
  'log_checkpoints_at',
  'select note from durable.log_checkpoints where tree_size = $1 order by made_at desc limit 1',
);
const BELOW = statement<NumberedRow>(
  'log_checkpoints_below',
  `select distinct on (tree_size) note, made_at, number, digest, divergence from durable.log_checkpoints
   where tree_size < $1 order by tree_size desc, made_at desc limit $2`,
);
const ALL = statement<NumberedRow>(
  'log_checkpoints_all',
  'select note, made_at, number, digest, divergence from durable.log_checkpoints order by tree_size, made_at',
);
const SIZES = statement<{ tree_size: string }>(
  'log_checkpoints_sizes',
  `select distinct tree_size from durable.log_checkpoints where divergence is null and tree_size > 0
   order by tree_size`,
);
const LAST_NUMBER = statement<{ number: string }>(
  'log_checkpoints_last_number',
  'select coalesce(max(number), 0) as number from durable.log_checkpoints',
);
const STORE = statement<{ number: string }>(
  'log_checkpoints_store',
  `insert into durable.log_checkpoints (tree_size, note, position, made_at, number, digest)
   values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning number`,
);
const HAS = statement(
  'log_checkpoints_has',
  'select from durable.log_checkpoints where tree_size = $1 and note = $2',
);
/** Checkpoints that are older than a day stay when their number is a multiple of this. */
export const KEPT_EACH = 60;
const THIN = statement(
  'log_checkpoints_thin',
  `delete from durable.log_checkpoints
   where made_at < now() - interval '25 hours' and number % ${KEPT_EACH} > 0
   and divergence is null and number < (select max(number) from durable.log_checkpoints)`,
);

/** Returns the keyed digest of a stored checkpoint (HMAC-SHA-256), which only this server can make. */
export type CheckpointDigest = (row: { number: number; madeAt: string; note: string }) => Buffer;

/** A signed checkpoint. */
export interface StoredCheckpoint {
  note: string;
  /** ISO 8601. */
  madeAt: string;
}

/** A checkpoint with the evidence that no other was deleted. */
export interface NumberedCheckpoint extends StoredCheckpoint {
  /** Undefined for checkpoints of versions before 0.2. */
  number: number | undefined;
  digest: Buffer | undefined;
  /** The number of the accepted divergence by which it holds no longer. */
  divergence: number | undefined;
}

interface Row {
  note: string;
  made_at: string;
}
interface NumberedRow extends Row {
  number: string | null;
  digest: Buffer | null;
  divergence: string | null;
}

/** Returns the checkpoint of the largest tree; undefined before the first. */
export async function newestCheckpoint(db: Db): Promise<StoredCheckpoint | undefined> {
  const [row] = await db.query(NEWEST);
  return row && { note: row.note, madeAt: row.made_at };
}

/** Returns the checkpoint of a tree of this size, if any. */
export async function checkpointAt(db: Db, size: number): Promise<string | undefined> {
  const [row] = await db.query(AT, [size]);
  return row?.note;
}

/**
 * Returns the sizes of stored checkpoints that hold, the smallest first; at most so many: then one half are
 * the newest ones, and the others are spread over the rest.
 */
export async function publishedSizes(db: Db, most: number): Promise<number[]> {
  const all = (await db.query(SIZES)).map(({ tree_size }) => Number(tree_size));
  if (all.length <= most) return all;
  const half = Math.floor(most / 2);
  const older = all.slice(0, -half);
  const spread = Array.from(
    { length: most - half },
    (_, index) => older[Math.floor((index * older.length) / (most - half))] as number,
  );
  return [...spread, ...all.slice(-half)];
}

/** Returns all stored checkpoints, small trees first: at most some 9,000 a year. */
export const storedCheckpoints = async (db: Db): Promise<NumberedCheckpoint[]> =>
  (await db.query(ALL)).map(numbered);

/** Returns the newest checkpoint of each size below this one, large trees first. */
export const checkpointsBelow = async (db: Db, size: number, limit: number): Promise<NumberedCheckpoint[]> =>
  (await db.query(BELOW, [size, limit])).map(numbered);

const numbered = ({ note, made_at, number, digest, divergence }: NumberedRow): NumberedCheckpoint => ({
  note,
  madeAt: made_at,
  number: number === null ? undefined : Number(number),
  digest: digest ?? undefined,
  divergence: divergence === null ? undefined : Number(divergence),
});

/** Stores a checkpoint under the next number. `position` is that of the last event in its tree. */
export async function storeCheckpoint(
  db: Db,
  { size, note, position }: { size: number; note: string; position: bigint },
  digestOf: CheckpointDigest,
): Promise<void> {
  const madeAt = new Date().toISOString();
  // Another process may take the number.
  for (;;) {
    const [last] = await db.query(LAST_NUMBER);
    const number = Number(last?.number ?? 0) + 1;
    const row = [size, note, String(position), madeAt, number, digestOf({ number, madeAt, note })];
    if ((await db.query(STORE, row)).length > 0) break;
    if ((await db.query(HAS, [size, note])).length > 0) return;
  }
  await db.query(THIN);
}

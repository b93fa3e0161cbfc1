import { type Db, statement } from '#kernel/read.ts';

/** Hashes are stored at every eighth height: one for 256 of the level below. */
export const LEVEL_HEIGHT = 8;
/** Events under a hash of level 1. */
export const CHUNK = 2 ** LEVEL_HEIGHT;

/** The key of a stored hash: `place` counts the hashes of its level before it. */
export interface SubtreeKey {
  level: number;
  place: number;
}
export interface StoredSubtree extends SubtreeKey {
  hash: Buffer;
  /** The position of the last event under it. */
  lastPosition: bigint;
}
/** Consecutive hashes of one level. */
export interface SubtreeRun extends SubtreeKey {
  count: number;
}

const STORE = statement(
  'log_subtrees_store',
  `insert into durable.log_subtrees (level, place, hash, last_position)
   select * from unnest($1::int[], $2::bigint[], $3::bytea[], $4::bigint[])
   on conflict do nothing`,
);
const NEWEST = statement<{ place: string; last_position: string }>(
  'log_subtrees_newest',
  'select place, last_position from durable.log_subtrees where level = 1 order by place desc limit 1',
);
const ENDS = statement<{ place: string; last_position: string }>(
  'log_subtrees_ends',
  'select place, last_position from durable.log_subtrees where level = 1 and place = any($1::bigint[])',
);
const HOLDING = statement<{ position: string; place: string; after: string }>(
  'log_subtrees_holding',
  `with held as (select p.position, coalesce(
     (select place from durable.log_subtrees where level = 1 and last_position >= p.position order by last_position limit 1),
     (select place + 1 from durable.log_subtrees where level = 1 order by place desc limit 1), 0) as place
     from unnest($1::bigint[]) p (position))
   select h.position, h.place, coalesce(s.last_position, 0) as after
   from held h left join durable.log_subtrees s on s.level = 1 and s.place = h.place - 1`,
);
const RUNS = statement<{ run: number; hash: Buffer }>(
  'log_subtrees_runs',
  `select r.run::int as run, s.hash
   from unnest($1::int[], $2::bigint[], $3::int[]) with ordinality as r (level, place, length, run)
   join durable.log_subtrees s on s.level = r.level and s.place >= r.place and s.place < r.place + r.length
   order by r.run, s.place`,
);
const SAME = statement<{ level: number; place: string; hash: Buffer; last_position: string }>(
  'log_subtrees_same',
  `select s.level, s.place, s.hash, s.last_position
   from unnest($1::int[], $2::bigint[]) as k (level, place)
   join durable.log_subtrees s on s.level = k.level and s.place = k.place`,
);

/** Keeps what is stored already: two processes that go through the log at one time find the same. */
export async function storeSubtrees(db: Db, subtrees: readonly StoredSubtree[]): Promise<void> {
  if (subtrees.length === 0) return;
  await db.query(STORE, [
    ...keysOf(subtrees),
    subtrees.map(({ hash }) => hash),
    subtrees.map(({ lastPosition }) => String(lastPosition)),
  ]);
}

/** How many chunks of the log are stored, and where the last of them ends. */
export async function storedChunks(db: Db): Promise<{ count: number; lastPosition: bigint }> {
  const [row] = await db.query(NEWEST);
  return { count: row ? Number(row.place) + 1 : 0, lastPosition: BigInt(row?.last_position ?? 0) };
}

/** Where these chunks end, by their places; those that are not stored are absent. */
export async function chunkEnds(db: Db, places: readonly number[]): Promise<Map<number, bigint>> {
  const rows = await db.query(ENDS, [places]);
  return new Map(rows.map(({ place, last_position }) => [Number(place), BigInt(last_position)]));
}

/** A chunk by its place, and the position that it begins after. */
export interface HeldChunk {
  place: number;
  after: bigint;
}

/**
 * Returns the chunk that has each of these positions; the place after the last stored chunk for later
 * positions.
 */
export async function chunksHolding(db: Db, positions: readonly bigint[]): Promise<Map<bigint, HeldChunk>> {
  const rows = await db.query(HOLDING, [positions.map(String)]);
  return new Map(
    rows.map(({ position, place, after }) => [
      BigInt(position),
      { place: Number(place), after: BigInt(after) },
    ]),
  );
}

/** The hashes of each of these runs. @throws Error when some are not stored */
export async function hashesOfRuns(db: Db, runs: readonly SubtreeRun[]): Promise<Buffer[][]> {
  if (runs.length === 0) return [];
  const counts = runs.map(({ count }) => count);
  const rows = await db.query(RUNS, [...keysOf(runs), counts]);
  const hashes = runs.map((): Buffer[] => []);
  for (const { run, hash } of rows) hashes[run - 1]?.push(hash);
  if (hashes.some((each, index) => each.length !== counts[index])) {
    throw new Error('Hashes of the tree of the log are missing');
  }
  return hashes;
}

/** Returns the stored subtrees at these places. */
export async function storedAt(db: Db, keys: readonly SubtreeKey[]): Promise<StoredSubtree[]> {
  if (keys.length === 0) return [];
  const rows = await db.query(SAME, keysOf(keys));
  return rows.map(({ level, place, hash, last_position }) => ({
    level,
    hash,
    place: Number(place),
    lastPosition: BigInt(last_position),
  }));
}

const keysOf = (keys: readonly SubtreeKey[]): [number[], number[]] => [
  keys.map(({ level }) => level),
  keys.map(({ place }) => place),
];

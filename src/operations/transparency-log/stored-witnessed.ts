import { type Db, statement } from '#kernel/read.ts';
import type { WitnessedFork, WitnessedLog } from '#kernel/services/transparency-log.ts';

/** The most checkpoints that are kept as evidence for one log: proven ones, and others. */
const MAX_EVIDENCE = 20;

const LATEST = statement<LogRow>(
  'witnessed_logs_latest',
  'select origin, tree_size, root, note, cosigned_at from durable.witnessed_logs where origin = $1',
);
const ALL = statement<LogRow>(
  'witnessed_logs_all',
  `select origin, tree_size, root, note, cosigned_at from durable.witnessed_logs order by origin limit 1000`,
);
const BEGIN = statement<{ origin: string }>(
  'witnessed_logs_begin',
  `insert into durable.witnessed_logs (origin, tree_size, root, note, cosigned_at) values ($1, $2, $3, $4, now())
   on conflict (origin) do nothing returning origin`,
);
/** Changes nothing when another request was first. */
const ADVANCE = statement<{ origin: string }>(
  'witnessed_logs_advance',
  `update durable.witnessed_logs set tree_size = $2, root = $3, note = $4, cosigned_at = now()
   where origin = $1 and tree_size = $5 and root = $6 returning origin`,
);
const KEEP_FORK = statement(
  'witnessed_forks_keep',
  `insert into durable.witnessed_forks (origin, tree_size, root, note, known_size, known_note, is_proven)
   select $1, $2, $3, $4, $5, $6, $7 where (
     select count(*) from durable.witnessed_forks where origin = $1 and is_proven = $7::boolean
   ) < ${MAX_EVIDENCE}
   on conflict (origin, tree_size, root) do update set is_proven = true, known_size = excluded.known_size,
     known_note = excluded.known_note where excluded.is_proven and not witnessed_forks.is_proven`,
);
/** A checkpoint that came with a wrong proof first was no fork if a right one follows. */
const CLEAR = statement(
  'witnessed_forks_clear',
  'delete from durable.witnessed_forks where origin = $1 and tree_size = $2 and root = $3 and not is_proven',
);
const FORKS = statement<ForkRow>(
  'witnessed_forks_all',
  `select id, origin, tree_size, note, known_size, known_note, is_proven, seen_at from durable.witnessed_forks
   order by id desc limit $1`,
);
/** Without proof it is a fork only while the log has not shown a larger tree that continues the known one. */
const OPEN = statement<{ origin: string; tree_size: string; known_size: string; is_proven: boolean }>(
  'witnessed_forks_open',
  `select distinct on (f.origin) f.origin, f.tree_size, f.known_size, f.is_proven
   from durable.witnessed_forks f left join durable.witnessed_logs l on l.origin = f.origin
   where f.origin = any($1::text[]) and (f.is_proven or f.tree_size > coalesce(l.tree_size, 0))
   order by f.origin, f.is_proven desc, f.id`,
);

interface LogRow {
  origin: string;
  tree_size: string;
  root: Buffer;
  note: string;
  cosigned_at: string;
}
interface ForkRow {
  id: string;
  origin: string;
  tree_size: string;
  note: string;
  known_size: string;
  known_note: string;
  is_proven: boolean;
  seen_at: string;
}

/** The latest checkpoint of a log that this server cosigned. */
export interface LatestCosigned {
  size: number;
  root: Buffer;
  note: string;
}

/** Returns undefined for a log of which no checkpoint was cosigned. */
export async function latestCosigned(db: Db, origin: string): Promise<LatestCosigned | undefined> {
  const [row] = await db.query(LATEST, [origin]);
  return row && { size: Number(row.tree_size), root: row.root, note: row.note };
}

/** Stores the latest checkpoint unless another request changed it since `before` was read; tells whether it did. */
export async function advance(
  db: Db,
  origin: string,
  { size, root, note }: LatestCosigned,
  before: LatestCosigned | undefined,
): Promise<boolean> {
  const rows = before
    ? await db.query(ADVANCE, [origin, size, root, note, before.size, before.root])
    : await db.query(BEGIN, [origin, size, root, note]);
  if (rows.length === 0) return false;
  await db.query(CLEAR, [origin, size, root]);
  return true;
}

/** Keeps a checkpoint that does not continue the known one. `isProven`: both are of one size. */
export async function keepFork(
  db: Db,
  origin: string,
  { size, root, note }: LatestCosigned,
  { known, isProven }: { known: LatestCosigned; isProven: boolean },
): Promise<void> {
  await db.query(KEEP_FORK, [origin, size, root, note, known.size, known.note, isProven]);
}

export const witnessedLogs = async (db: Db): Promise<WitnessedLog[]> =>
  (await db.query(ALL)).map(({ origin, tree_size, note, cosigned_at }) => ({
    origin,
    size: Number(tree_size),
    note,
    cosignedAt: cosigned_at,
  }));

/** Returns the evidence of forks, the newest first. */
export const witnessedForks = async (db: Db, limit: number): Promise<WitnessedFork[]> =>
  (await db.query(FORKS, [limit])).map((row) => ({
    id: row.id,
    origin: row.origin,
    size: Number(row.tree_size),
    note: row.note,
    knownSize: Number(row.known_size),
    knownNote: row.known_note,
    isProven: row.is_proven,
    seenAt: row.seen_at,
  }));

/** Returns what is wrong with logs of these origins, at most one finding for each. */
export const openForks = async (
  db: Db,
  origins: readonly string[],
): Promise<{ origin: string; detail: string }[]> =>
  (await db.query(OPEN, [origins])).map(({ origin, tree_size, known_size, is_proven }) => ({
    origin,
    detail: is_proven
      ? `It signed two different checkpoints of ${tree_size} events`
      : `Its checkpoint of ${tree_size} events came without a proof that it continues the one of ${known_size}`,
  }));

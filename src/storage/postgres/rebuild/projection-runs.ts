import { countEvents, type LogProgress } from '#kernel/event-count.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { Digests, RunKind, RunState } from '#kernel/services/read-models.ts';

/*
 * Builds that staff started, in a durable table: every process can show and cancel them, and they outlive the request
 * that started them. One runs at a time.
 */

/** Seconds without a sign of life after which the process of a run counts as dead. */
const DEAD_AFTER = 30;
const KEPT = 100;

const COLUMNS = `id, name, kind, state, started_at, seen_at, position, head, events, done, total, estimated, digests, error, cancel,
  extract(epoch from seen_at - started_at)::float8 as seconds`;
/** SQL: the process of a run is dead. */
const IS_DEAD = `state = 'running' and seen_at < clock_timestamp() - interval '${DEAD_AFTER} seconds'`;
/** The oldest are dropped. */
const START = statement<{ id: string }>(
  'projection_runs_start',
  `with old as (
     delete from durable.projection_runs where id in (
       select id from durable.projection_runs where state <> 'running' order by started_at desc offset ${KEPT - 1}))
   insert into durable.projection_runs (id, name, kind) values ($1, $2, $3) on conflict do nothing returning id`,
);
const BURY = statement(
  'projection_runs_bury',
  `update durable.projection_runs set state = 'interrupted' where ${IS_DEAD}`,
);
/** The columns of a run whose process is dead say so, also before the next one begins. */
const LIST = statement<RunRow>(
  'projection_runs_list',
  `select ${COLUMNS}, ${IS_DEAD} as dead
   from durable.projection_runs
   where ($1::text is null or name = $1) and ($2::bigint is null or id = $2) order by started_at desc limit $3`,
);
const PROGRESS = statement<{ cancel: boolean }>(
  'projection_runs_progress',
  `update durable.projection_runs set seen_at = clock_timestamp(), position = $2, head = $3, events = $4, done = $5,
     total = $6, estimated = $7
   where id = $1 and state = 'running' returning cancel`,
);
const SEEN = statement<{ cancel: boolean }>(
  'projection_runs_seen',
  `update durable.projection_runs set seen_at = clock_timestamp() where id = $1 and state = 'running' returning cancel`,
);
const END = statement(
  'projection_runs_end',
  `update durable.projection_runs set seen_at = clock_timestamp(), state = $2, digests = $3, error = $4
   where id = $1 and state = 'running'`,
);
const CANCEL = statement<{ id: string }>(
  'projection_runs_cancel',
  `update durable.projection_runs set cancel = true where id = $1 and state = 'running' returning id`,
);

export interface RunRow {
  id: string;
  name: string;
  kind: RunKind;
  state: RunState;
  started_at: string;
  seen_at: string;
  position: string;
  head: string;
  events: string;
  done: string | null;
  total: string | null;
  estimated: boolean;
  /** Versions before 0.2 stored no rows. */
  digests: (Omit<Digests, 'rows'> & Partial<Pick<Digests, 'rows'>>)[] | null;
  error: string | null;
  cancel: boolean;
  /** From its start to its last sign of life. */
  seconds: number;
  dead: boolean;
}

/** @returns whether it may begin: no other one runs */
export async function startRun(db: Db, run: { id: string; name: string; kind: RunKind }): Promise<boolean> {
  await db.query(BURY);
  return (await db.query(START, [run.id, run.name, run.kind])).length > 0;
}

/** Returns the newest runs, of one read model or of all. */
export const listRuns = (
  db: Db,
  { name, id, limit }: { name?: string | undefined; id?: string | undefined; limit: number },
): Promise<RunRow[]> => db.query(LIST, [name ?? null, id ?? null, limit]);

/** Stores how far a run is, or only that it is alive. @returns whether it shall end: cancelled, or declared dead */
export async function noteRun(db: Db, id: string, progress: LogProgress | undefined): Promise<boolean> {
  const rows = await (progress ? db.query(PROGRESS, [id, ...valuesOf(progress)]) : db.query(SEEN, [id]));
  return rows[0]?.cancel ?? true;
}

function valuesOf(progress: LogProgress): unknown[] {
  const { done, total, estimated } = countEvents(progress);
  return [String(progress.position), String(progress.head), progress.events, done, total, estimated];
}

export async function endRun(
  db: Db,
  id: string,
  { state, digests, error }: { state: RunState; digests?: readonly Digests[]; error?: string },
): Promise<void> {
  await db.query(END, [id, state, digests ? JSON.stringify(digests) : null, error ?? null]);
}

/** @returns whether it was running */
export const cancelRun = async (db: Db, id: string): Promise<boolean> =>
  (await db.query(CANCEL, [id])).length > 0;

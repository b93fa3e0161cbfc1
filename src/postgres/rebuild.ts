import type { RecordedEvent } from '../kernel/event.ts';
import type { Projection } from '../kernel/projection.ts';
import { statement, type Db } from '../kernel/read.ts';
import { limiter } from '../limiter.ts';
import { allDone, applyBatch, createIndexes, createTables, handlersOf } from './apply.ts';
import { READ_MODELS, type Database } from './db.ts';
import type { EventSource } from './group-runner.ts';
import { LOCKS } from './locks.ts';
import { holdTables, replacing } from './switch.ts';
import { holdLock } from './transaction-lock.ts';
import { walkTogether } from './walk.ts';

const BATCH = 2_000;
/** Plans that are made while tables are small would else go on reading them from end to end when they have grown. */
const BUILDING = statement(
  'rebuild_settings',
  `select set_config('search_path', $1, true), set_config('enable_seqscan', 'off', true)`,
);
/** Projections that are written at the same time, each on a connection of its own: enough that Postgres always has work. */
const LANES = 4;

export interface Progress {
  position: bigint;
  head: bigint;
  events: number;
}

export interface BuildOptions {
  projections: readonly Projection[];
  log: EventSource & { head(): Promise<bigint> };
  db: Database;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Build up to this position instead of where the live read models are. */
  until?: bigint;
  /** Breaks it off, at the next page or index. What is left of it goes with the next build. */
  signal?: AbortSignal | undefined;
}

/** Read models built beside the live ones, in a schema of their own. */
export interface Build {
  schema: string;
  position: bigint;
}

/** Builds projections from the start of the log up to where the live ones are, in a schema of that name, ready for queries. */
export const build = (schema: string, options: BuildOptions): Promise<Build> =>
  buildTables(schema, options, createIndexes);

async function buildTables(
  schema: string,
  options: BuildOptions,
  after?: (projection: Projection, db: Db) => Promise<void>,
): Promise<Build> {
  await options.db.query(`drop schema if exists ${schema} cascade`);
  await options.db.query(`create schema ${schema}`);
  const before = (): Promise<void> => createAllTables(schema, options);
  const position = await fill({ schema, position: 0n }, options, { before, after });
  return { schema, position };
}

/** Applies what came since, up to `until` or to where the live ones are. */
export const catchUp = (built: Build, options: BuildOptions): Promise<bigint> => fill(built, options, {});

/** In few transactions: each that changes Postgres's catalogues empties the caches of all connections. */
function createAllTables(schema: string, { projections, db }: BuildOptions): Promise<void> {
  const lanes = Array.from({ length: LANES }, (_, lane) => projections.filter((_, n) => n % LANES === lane));
  return allDone(
    lanes.map((lane) =>
      inSchema(db, schema, (transaction) =>
        allDone(lane.map((projection) => createTables(projection, schema, transaction))),
      ),
    ),
  );
}

/** What is done in the schema besides: while the first page is read, and for each projection at its end. */
interface Framing {
  before?: () => Promise<void>;
  after?: ((projection: Projection, db: Db) => Promise<void>) | undefined;
}

/** Each projection goes through the log at its own pace. @returns how far they all are */
async function fill(
  { schema, position: from }: Build,
  options: BuildOptions,
  { before, after }: Framing,
): Promise<bigint> {
  const { log, db, projections, onProgress, signal } = options;
  const head = options.until ?? (await horizon(options));
  const lane = limiter({ running: LANES, waiting: Infinity });
  const work = (statements: (db: Db) => Promise<void>): Promise<void> =>
    lane(() => inSchema(db, schema, statements));
  let position = from;
  let events = 0;
  const ready = before?.();
  await walkTogether({
    read: (after) => {
      signal?.throwIfAborted();
      return readUpTo(log, after, head);
    },
    after: from,
    walkers: projections.map((projection) => async (pages) => {
      const handlers = handlersOf(projection);
      await ready;
      for await (const page of pages) {
        if (page.some(({ type }) => handlers.has(type)))
          await work((transaction) => applyBatch(handlers, page, transaction));
      }
      signal?.throwIfAborted();
      if (after) await work((transaction) => after(projection, transaction));
    }),
    onPassed: (page) => {
      position = page.at(-1)?.position ?? position;
      events += page.length;
      onProgress?.({ position, head, events });
    },
  });
  return position;
}

/**
 * Rebuilds projections and puts them in the place of the live ones, in one short transaction per projection. Of several processes one
 * does so at a time, the others after it: their tables have the same names.
 */
export async function rebuild(options: BuildOptions): Promise<void> {
  await options.db.transaction(async (lock) => {
    await lock.query('set local idle_in_transaction_session_timeout = 0');
    await holdLock(lock, LOCKS.rebuild, options.signal);
    await rebuildAlone(options);
  });
}

async function rebuildAlone(options: BuildOptions): Promise<void> {
  const names = options.projections.map(({ name }) => name.replaceAll('-', '_')).join('_');
  const schema = `build_${names.slice(0, 40)}`;
  const built = await build(schema, { ...options, onProgress: tellingOthers(schema, options) });
  // What came while building; the rest, under the lock, is short then.
  const position = await catchUp(built, options);
  for (const projection of options.projections) {
    options.signal?.throwIfAborted();
    await replacing(options.db, async (db) => {
      const at = await lockGroup(db, projection, options.log);
      const only = { ...options, projections: [projection], until: at };
      await catchUpIn(db, { schema, position }, only);
      await swap(db, projection, schema, at);
    });
  }
  await options.db.query(`drop schema ${schema} cascade`);
}

/** A rebuild that some process is about, or was when it was killed. */
export interface BuildUnderWay {
  names: string[];
  position: string;
  head: string;
}

const UNDER_WAY = statement(
  'rebuild_under_way',
  `select n.note ->> 'position' as position, n.note ->> 'head' as head,
     array(select jsonb_array_elements_text(n.note -> 'names')) as names
   from (select nspname, obj_description(oid, 'pg_namespace')::jsonb as note
         from pg_namespace where nspname like 'build\\_%') n
   where n.note is not null order by n.nspname`,
);

export const buildsUnderWay = (db: Db): Promise<BuildUnderWay[]> => db.query<BuildUnderWay>(UNDER_WAY);

/** How far it is stands in the comment of its schema, for whoever looks from another process. */
function tellingOthers(schema: string, options: BuildOptions): (progress: Progress) => void {
  const { db, projections, onProgress } = options;
  const names = projections.map(({ name }) => name);
  let next = 0;
  return (progress) => {
    onProgress?.(progress);
    if (Date.now() < next) return;
    next = Date.now() + 1_000;
    const note = { names, position: String(progress.position), head: String(progress.head) };
    // A build that is over has no schema any more.
    db.query(`comment on schema ${schema} is '${JSON.stringify(note)}'`).catch(() => undefined);
  };
}

export interface Difference {
  table: string;
  live: string;
  rebuilt: string;
}

/**
 * Rebuilds beside and compares table by table at one common position. The group stands still only for the comparison.
 * @returns the tables whose digests differ
 */
export async function verify(options: BuildOptions): Promise<Difference[]> {
  const schema = `verify_${process.pid}`;
  // Rows are compared, and nobody asks for them: indexes that only queries use are left out.
  const built = await buildTables(schema, options);
  const position = await catchUp(built, options);
  const differences: Difference[] = [];
  for (const projection of options.projections) {
    await options.db.transaction(async (db) => {
      const at = await lockGroup(db, projection, options.log);
      await catchUpIn(db, { schema, position }, { ...options, projections: [projection], until: at });
      const compared = Object.keys(projection.tables).map(async (table) => {
        const { live, rebuilt } = await digests(db, `${READ_MODELS}.${table}`, `${schema}.${table}`);
        if (live !== rebuilt) differences.push({ table, live, rebuilt });
      });
      await allDone(compared);
    });
  }
  await options.db.query(`drop schema ${schema} cascade`);
  return differences;
}

/** Of each its row count and an order-independent sum of row hashes. */
async function digests(db: Db, live: string, rebuilt: string): Promise<{ live: string; rebuilt: string }> {
  const digest = (table: string): string =>
    `(select count(*) || ' rows, ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) from ${table} t)`;
  const [row] = await db.query<{ live: string; rebuilt: string }>(
    `select ${digest(live)} as live, ${digest(rebuilt)} as rebuilt`,
  );
  if (!row) throw new Error('No digests');
  return row;
}

/**
 * The position that no live group of these projections is behind. A shadow must not get ahead of its group: the group would
 * apply what lies between a second time. Where nothing is live yet, the head of the log.
 */
async function horizon({ db, log, projections }: BuildOptions): Promise<bigint> {
  const [row] = await db.query<{ position: string | null }>(
    'select min(position) as position from durable.projections where "group" = any($1)',
    [projections.map(({ group }) => group)],
  );
  return row?.position == null ? log.head() : BigInt(row.position);
}

/** Holds the group's checkpoints still. @returns where the group is */
async function lockGroup(db: Db, { group }: Projection, log: { head(): Promise<bigint> }): Promise<bigint> {
  const rows = await db.query<{ position: string }>(
    'select position from durable.projections where "group" = $1 order by name, version for update',
    [group],
  );
  const positions = rows.map(({ position }) => BigInt(position));
  // The first projection of a group is at home wherever it was built to.
  if (positions.length === 0) return log.head();
  return positions.reduce((a, b) => (a > b ? a : b));
}

async function swap(db: Db, projection: Projection, schema: string, position: bigint): Promise<void> {
  const { name, version, group } = projection;
  await holdTables(db, Object.keys(projection.tables));
  for (const table of Object.keys(projection.tables)) {
    await db.query(`drop table if exists ${READ_MODELS}.${table} cascade`);
    await db.query(`alter table ${schema}.${table} set schema ${READ_MODELS}`);
  }
  await db.query('delete from durable.projections where name = $1 and version < $2', [name, version]);
  // The row stays the same one: a runner that waits for its lock would not see a new one and leave it behind.
  await db.query(
    `insert into durable.projections (name, version, "group", position) values ($1, $2, $3, $4)
     on conflict (name, version) do update set "group" = $3, position = $4, failure = null`,
    [name, version, group, String(position)],
  );
}

async function catchUpIn(db: Db, from: Build, options: BuildOptions): Promise<void> {
  const until = options.until ?? 0n;
  let { position } = from;
  if (position >= until) return;
  await db.query(BUILDING, [from.schema]);
  const handlers = options.projections.map(handlersOf);
  while (position < until) {
    const batch = await readUpTo(options.log, position, until);
    const last = batch.at(-1);
    if (!last) break;
    for (const each of handlers) await applyBatch(each, batch, db);
    position = last.position;
  }
}

async function readUpTo(log: EventSource, after: bigint, until: bigint): Promise<RecordedEvent[]> {
  if (after >= until) return [];
  // What lies behind may be of types that this version does not know.
  const most = until - after < BATCH ? Number(until - after) : BATCH;
  const events = await log.readAll(after, most);
  return events.filter(({ position }) => position <= until);
}

function inSchema(db: Database, schema: string, work: (db: Db) => Promise<void>): Promise<void> {
  return db.transaction((transaction) => allDone([transaction.query(BUILDING, [schema]), work(transaction)]));
}

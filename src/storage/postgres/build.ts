import type { RecordedEvent } from '../../kernel/event.ts';
import type { LogProgress } from '../../kernel/event-count.ts';
import type { Projection } from '../../kernel/projection.ts';
import { statement, type Db, type Statement } from '../../kernel/read.ts';
import { fairSemaphore } from '../../kernel/concurrency.ts';
import { allDone, applyBatch, createIndexes, createTables, handlersOf } from './apply.ts';
import {
  advance,
  beginProgress,
  createProgress,
  leftBy,
  noteIndexed,
  placesIn,
  type BuildPlaces,
} from './build-progress.ts';
import type { Database } from './db.ts';
import type { EventSource } from './group-runner.ts';
import { readLogTogether } from './shared-log-reader.ts';

const BATCH = 2_000;
/** Plans that are made while tables are small would else go on reading them from end to end when they have grown. */
const BY_INDEX = statement('build_by_index', 'set local enable_seqscan to off');
/** Projections that are written at the same time, each on a connection of its own: enough that Postgres always has work. */
const LANES = 4;

export type Progress = LogProgress;

export interface BuildOptions {
  projections: readonly Projection[];
  log: EventSource & { head(): Promise<bigint> };
  db: Database;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Build up to this position instead of where the live read models are. */
  until?: bigint;
  /** Stops the build at the next page or index. The next build continues or removes the rest. */
  signal?: AbortSignal | undefined;
  /** Its version: a build that was broken off, of the same projections by the same program, is gone on with. */
  program?: string | undefined;
}

/** Read models built beside the live ones, in a schema of their own. */
export interface Build {
  schema: string;
  position: bigint;
}

/** Builds projections from the start of the log up to where the live ones are, in a schema of that name, ready for queries. */
export const build = (schema: string, options: BuildOptions): Promise<Build> =>
  buildTables(schema, options, createIndexes);

/** The same, without what only queries need unless `after` makes it, once for each projection. */
export async function buildTables(
  schema: string,
  options: BuildOptions,
  after?: (projection: Projection, db: Db) => Promise<void>,
): Promise<Build> {
  const { db, projections, program } = options;
  const left = program === undefined ? undefined : await leftBy(db, schema, projections, program);
  if (left) return fill({ schema, position: left.passed }, left.places, options, { after });
  await db.query(`drop schema if exists ${schema} cascade`);
  await db.query(`create schema ${schema}`);
  const before = async (): Promise<void> => {
    await createAllTables(schema, options);
    // From here on a build that is broken off is worth going on with.
    await beginProgress(db, schema, projections, program ?? '');
  };
  return fill({ schema, position: 0n }, new Map(), options, { before, after });
}

/** Applies what came since, up to `until` or to where the live ones are. */
export const catchUp = async (built: Build, options: BuildOptions): Promise<Build> =>
  fill(built, await placesIn(options.db, built.schema), options, {});

/** In few transactions: each that changes Postgres's catalogues empties the caches of all connections. */
async function createAllTables(schema: string, { projections, db }: BuildOptions): Promise<void> {
  const lanes = Array.from({ length: LANES }, (_, lane) => projections.filter((_, n) => n % LANES === lane));
  const inSchema = transactionsIn(db, schema);
  await allDone(
    lanes.map((lane, n) =>
      inSchema((transaction) =>
        allDone([
          ...(n === 0 ? [createProgress(transaction, schema)] : []),
          ...lane.map((projection) => createTables(projection, schema, transaction)),
        ]),
      ),
    ),
  );
}

/** Work in the schema around a build: while the first page is read, and for each projection at its end. */
interface Framing {
  before?: () => Promise<void>;
  after?: ((projection: Projection, db: Db) => Promise<void>) | undefined;
}

/** Each projection goes through the log at its own pace, from where all are, or where it was left. */
async function fill(
  { schema, position: from }: Build,
  places: BuildPlaces,
  options: BuildOptions,
  { before, after }: Framing,
): Promise<Build> {
  const { log, db, projections, onProgress, signal } = options;
  const head = options.until ?? (await horizon(options));
  const lane = fairSemaphore({ running: LANES, waiting: Infinity });
  const inSchema = transactionsIn(db, schema);
  const work = (...statements: ((db: Db) => Promise<unknown>)[]): Promise<void> =>
    lane(() => inSchema((transaction) => allDone(statements.map((each) => each(transaction)))));
  let position = from;
  let events = 0;
  const ready = before?.();
  await readLogTogether({
    read: (after) => {
      signal?.throwIfAborted();
      return readUpTo(log, after, head);
    },
    after: from,
    readers: projections.map((projection) => async (pages) => {
      const { name } = projection;
      const handlers = handlersOf(projection);
      const { written = 0n, indexed = false } = places.get(name) ?? {};
      let at = written;
      await ready;
      for await (const page of pages) {
        const news = behind(page, at);
        const to = news.at(-1)?.position;
        if (to === undefined || !news.some(({ type }) => handlers.has(type))) continue;
        await work(
          (transaction) => advance(transaction, name, { from: at, to }),
          (transaction) => applyBatch(handlers, news, transaction),
        );
        at = to;
      }
      signal?.throwIfAborted();
      if (!after || indexed) return;
      await work(
        (transaction) => after(projection, transaction),
        (transaction) => noteIndexed(transaction, name),
      );
    }),
    onPassed: (page) => {
      position = page.at(-1)?.position ?? position;
      events += page.length;
      onProgress?.({ position, head, events, from });
    },
  });
  return { schema, position };
}

/** Only the first pages of a build that is gone on with hold what was written already. */
const behind = (page: readonly RecordedEvent[], at: bigint): readonly RecordedEvent[] =>
  (page[0]?.position ?? 0n) > at ? page : page.filter(({ position }) => position > at);

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

/** Applies what lies between the position of a build and `until`, within a transaction. */
export async function catchUpIn(
  db: Db,
  { schema, position: from }: Build,
  { log, projections, until }: Pick<BuildOptions, 'log' | 'projections'> & { until: bigint },
): Promise<void> {
  let position = from;
  if (position >= until) return;
  await allDone(entering(schema).map((each) => db.query(each)));
  const handlers = projections.map(handlersOf);
  while (position < until) {
    const batch = await readUpTo(log, position, until);
    const last = batch.at(-1);
    if (!last) break;
    for (const each of handlers) await applyBatch(each, batch, db);
    position = last.position;
  }
}

async function readUpTo(log: EventSource, after: bigint, until: bigint): Promise<RecordedEvent[]> {
  if (after >= until) return [];
  // Later events may have types that this version does not know.
  const most = until - after < BATCH ? Number(until - after) : BATCH;
  const events = await log.readAll(after, most);
  return events.filter(({ position }) => position <= until);
}

/** In one write, as far as nothing that is asked for gives rows: Postgres does not wait for us between begin and commit. */
function transactionsIn(db: Database, schema: string): (work: (db: Db) => Promise<unknown>) => Promise<void> {
  const enter = entering(schema);
  return async (work) =>
    db.pipeline(async (transaction) => {
      await allDone([...enter.map((each) => transaction.query(each)), work(transaction)]);
    });
}

/** For the rest of a transaction. Statements that give no rows, which `set_config` does. */
const entering = (schema: string): Statement[] => [
  statement('', `set local search_path to ${schema}`),
  BY_INDEX,
];

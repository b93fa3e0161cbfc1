import type { RecordedEvent } from '../../kernel/event.ts';
import type { LogProgress } from '../../kernel/event-count.ts';
import type { Projection } from '../../kernel/projection.ts';
import { statement, type Db, type Statement } from '../../kernel/read.ts';
import { fairSemaphore } from '../../kernel/concurrency.ts';
import {
  allDone,
  applyBatch,
  buildHandlersOf,
  createIndexes,
  createTables,
  finishTables,
  handlersOf,
} from './apply.ts';
import { applyUpTo, readUpTo } from './apply-up-to.ts';
import {
  advance,
  beginProgress,
  createProgress,
  leftBy,
  noteIndexed,
  placesIn,
  type BuildPlaces,
} from './build-progress.ts';
import { GROUP_POSITION } from './checkpoints.ts';
import type { Database, PipelinedDb } from './db.ts';
import { Rejected } from './event-applier.ts';
import { failureAt, ProjectionError } from './failures.ts';
import type { EventSource } from './event-source.ts';
import { isConnectionError } from './outage.ts';
import { readLogTogether } from './shared-log-reader.ts';
import { readSkips, withoutSkipped } from './skips.ts';

/** Plans made while tables are small would otherwise keep reading them completely when they have grown. */
const BY_INDEX = statement('build_by_index', 'set local enable_seqscan to off');
/**
 * Projections that are written at the same time, each on a connection of its own: enough to keep Postgres
 * busy.
 */
const LANES = 8;

export type Progress = LogProgress;

export interface BuildOptions {
  projections: readonly Projection[];
  log: EventSource;
  db: Database;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Build up to this position, instead of to the position of the live read models. */
  until?: bigint;
  /** Stops the build at the next page or index. The next build continues or removes the rest. */
  signal?: AbortSignal | undefined;
  /**
   * The version of the program: an interrupted build of the same projections by the same version is resumed.
   */
  program?: string | undefined;
}

/** Read models built beside the live ones, in a schema of their own. */
export interface Build {
  schema: string;
  position: bigint;
  /** The position from which this process reads. */
  from: bigint;
  /** Events read since then. */
  events: number;
}

const startedAt = (schema: string, from: bigint): Build => ({ schema, position: from, from, events: 0 });

/**
 * Builds projections from the start of the log up to the position of the live ones, in a schema of that name,
 * ready for queries.
 */
export const build = (schema: string, options: BuildOptions): Promise<Build> =>
  buildTables(schema, options, createIndexes);

/** The same without what only queries need, which `addRest` may add, called once for each projection. */
export async function buildTables(
  schema: string,
  options: BuildOptions,
  addRest?: (projection: Projection, db: Db) => Promise<void>,
): Promise<Build> {
  const { db, projections, program } = options;
  const left = program === undefined ? undefined : await leftBy(db, schema, projections, program);
  const after = addRest ?? (() => Promise.resolve());
  if (left) return fill(startedAt(schema, left.passed), left.places, options, { after });
  await db.query(`drop schema if exists ${schema} cascade`);
  await db.query(`create schema ${schema}`);
  const before = async (): Promise<void> => {
    await createAllTables(schema, options);
    // From here on an interrupted build is worth resuming.
    await beginProgress(db, schema, projections, program ?? '');
  };
  return fill(startedAt(schema, 0n), new Map(), options, { before, after });
}

/** Applies later events, up to `until` or to the position of the live read models. */
export const catchUp = async (built: Build, options: BuildOptions): Promise<Build> =>
  fill(built, await placesIn(options.db, built.schema), options, {});

/** In few transactions: each one that changes Postgres's catalogues empties the caches of all connections. */
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

/** Work in the schema around a build: while the first page is read, and at the end of each projection. */
interface Framing {
  before?: () => Promise<void>;
  after?: (projection: Projection, db: Db) => Promise<void>;
}

/** Each projection reads the log at its own pace, from the common start or from where it was interrupted. */
async function fill(
  built: Build,
  places: BuildPlaces,
  options: BuildOptions,
  { before, after }: Framing,
): Promise<Build> {
  const { schema, from } = built;
  const { log, db, projections, onProgress, signal } = options;
  const head = options.until ?? (await horizon(options));
  const skips = await readSkips(db);
  const lane = fairSemaphore({ running: LANES, waiting: Infinity });
  const inSchema = transactionsIn(db, schema);
  const work = (...statements: ((db: Db) => Promise<unknown>)[]): Promise<void> =>
    lane(() => inSchema((transaction) => allDone(statements.map((each) => each(transaction)))));
  let { position, events } = built;
  const ready = before?.();
  await readLogTogether({
    read: (after) => {
      signal?.throwIfAborted();
      return readUpTo(log, after, head);
    },
    after: position,
    readers: projections.map((projection) => async (pages) => {
      const { name } = projection;
      const { written = 0n, indexed = false } = places.get(name) ?? {};
      const handlers = indexed ? handlersOf(projection) : buildHandlersOf(projection);
      let at = written;
      await ready;
      for await (const page of pages) {
        const news = behind(page, at);
        const to = news.at(-1)?.position;
        if (to === undefined || !news.some(({ type }) => handlers.has(type))) continue;
        const write = (events: readonly RecordedEvent[], from: bigint, reached: bigint): Promise<void> =>
          work(
            (transaction) => advance(transaction, name, { from, to: reached }),
            (transaction) => applyBatch(handlers, withoutSkipped(skips, name, events), transaction),
          );
        await write(news, at, to).catch(async (error: unknown) => {
          if (isConnectionError(error)) throw error;
          await narrow(projection, { events: news, at, write });
        });
        at = to;
      }
      signal?.throwIfAborted();
      if (!after || indexed) return;
      await finishTables(projection, (last) => work((transaction) => transaction.query(last)));
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
  return { schema, position, from, events };
}

/**
 * Writes the events of a failed page one by one.
 * @throws Rejected that names the event
 */
async function narrow(
  { name }: Projection,
  {
    events,
    at,
    write,
  }: {
    events: readonly RecordedEvent[];
    at: bigint;
    write: (events: readonly RecordedEvent[], from: bigint, to: bigint) => Promise<void>;
  },
): Promise<void> {
  let from = at;
  for (const event of events) {
    await write([event], from, event.position).catch((error: unknown) => {
      if (isConnectionError(error)) throw error;
      throw new Rejected(failureAt(event, new ProjectionError(name, error)));
    });
    from = event.position;
  }
}

/** Only the first pages of a resumed build contain events that are applied already. */
const behind = (page: readonly RecordedEvent[], at: bigint): readonly RecordedEvent[] =>
  (page[0]?.position ?? 0n) > at ? page : page.filter(({ position }) => position > at);

/**
 * Returns the position that every live group of these projections has reached. A shadow must not get ahead of
 * its group, which would apply the events between a second time. Without live groups, the head of the log.
 */
async function horizon({ db, log, projections }: BuildOptions): Promise<bigint> {
  const [row] = await db.query<{ position: string | null }>(
    `select min(position) as position from (
       select ${GROUP_POSITION} as position from durable.projections where "group" = any($1) group by "group"
     ) g`,
    [projections.map(({ group }) => group)],
  );
  return row?.position == null ? log.head() : BigInt(row.position);
}

/** Applies the events between the position of a build and `until`, within a transaction. */
export async function catchUpIn(
  db: Db,
  { schema, position }: Pick<Build, 'schema' | 'position'>,
  { log, projections, until }: Pick<BuildOptions, 'log' | 'projections'> & { until: bigint },
): Promise<void> {
  if (position >= until) return;
  await allDone(entering(schema).map((each) => db.query(each)));
  await applyUpTo(db, { log, projections, position, until });
}

/**
 * In one write, as far as no statement returns rows: Postgres then does not wait for this process between
 * begin and commit.
 */
function transactionsIn(
  db: Database,
  schema: string,
): (work: (db: PipelinedDb) => Promise<unknown>) => Promise<void> {
  const enter = entering(schema);
  return async (work) =>
    db.pipeline(async (transaction) => {
      await allDone([...enter.map((each) => transaction.query(each)), work(transaction)]);
    });
}

/** For the rest of a transaction. `set_config` would return rows, so these are statements without rows. */
const entering = (schema: string): Statement[] => [
  statement('', `set local search_path to ${schema}`),
  BY_INDEX,
];

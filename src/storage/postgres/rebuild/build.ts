import { fairSemaphore } from '#kernel/concurrency.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import type { LogProgress } from '#kernel/event-count.ts';
import type { Handler, Projection } from '#kernel/projection.ts';
import { type Db, type Statement, statement } from '#kernel/read.ts';
import type { Database, PipelinedDb } from '../db.ts';
import { isConnectionError } from '../outage.ts';
import {
  allDone,
  applyBatch,
  buildHandlersOf,
  concerns,
  createIndexes,
  createTables,
  finishTables,
  handlersOf,
} from '../projector/apply.ts';
import { Rejected } from '../projector/event-applier.ts';
import type { EventSource } from '../projector/event-source.ts';
import { failureAt, ProjectionError } from '../projector/failures.ts';
import { groupPositions } from '../projector/group-positions.ts';
import { readSkips, type Skips, withoutSkipped } from '../projector/skips.ts';
import { applyUpTo, readUpTo } from './apply-up-to.ts';
import {
  advance,
  beginProgress,
  type BuildPlaces,
  type BuildProgress,
  createProgress,
  leftBy,
  noteIndexed,
  noteWritten,
  placesIn,
} from './build-progress.ts';
import { joinStretches, larger, leftAfter, smaller } from './log-stretches.ts';
import { type LogReader, readLogTogether } from './shared-log-reader.ts';

/** Plans made while tables are small would otherwise keep reading them completely when they have grown. */
const BY_INDEX = statement('build_by_index', 'set local enable_seqscan to off');
/**
 * Projections that are written at the same time, each on a connection of its own: enough to keep Postgres
 * busy.
 */
const LANES = 8;

/** Catching up ends after a round of less than so many milliseconds, or after so many rounds. */
const SHORT_ROUND = 500;
const ROUNDS = 10;

export type Progress = BuildProgress;

export interface BuildOptions {
  projections: readonly Projection[];
  log: EventSource;
  db: Database;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Build up to this position, instead of to the positions of the live groups. */
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
  /** The position that each projection has passed, by name. */
  passed: ReadonlyMap<string, bigint>;
  /** How far this process has read. */
  read: Required<Pick<LogProgress, 'position' | 'from' | 'events'>>;
}

const startedAt = (schema: string, projections: readonly Projection[], from: bigint): Build => ({
  schema,
  passed: new Map(projections.map(({ name }) => [name, from])),
  read: { position: from, from, events: 0 },
});

const passedBy = ({ passed }: Pick<Build, 'passed'>, { name }: Projection): bigint => passed.get(name) ?? 0n;

/**
 * Builds projections from the start of the log, each up to the position of its live group, in a schema of that name, ready for
 * queries.
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
  const ends = await endsOf(options);
  const started = startedAt(schema, projections, left?.passed ?? 0n);
  if (left) return fill(started, { ends, places: left.places }, options, { after });
  await db.query(`drop schema if exists ${schema} cascade`);
  await db.query(`create schema ${schema}`);
  const before = async (): Promise<void> => {
    await createAllTables(schema, options);
    // From here on an interrupted build is worth resuming.
    await beginProgress(db, schema, projections, program ?? '');
  };
  return fill(started, { ends, places: new Map() }, options, { before, after });
}

/**
 * Applies later events, up to `until` or to the positions of the live groups. These move meanwhile, so it goes in rounds, until less
 * than a second's work is left.
 */
export async function catchUp(built: Build, options: BuildOptions): Promise<Build> {
  let reached = built;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const ends = await endsOf(options, reached);
    if (options.projections.every((each) => passedBy(reached, each) >= (ends.get(each.name) ?? 0n))) break;
    const started = performance.now();
    reached = await fill(reached, { ends, places: await placesIn(options.db, built.schema) }, options, {});
    if (performance.now() - started < SHORT_ROUND) break;
  }
  return reached;
}

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

/** Where each projection ends, and where it was interrupted, by name. */
interface Targets {
  ends: ReadonlyMap<string, bigint>;
  places: BuildPlaces;
}

/**
 * Each projection reads the log at its own pace, from where it was interrupted to its own end. The log is read once for all of them, and
 * only where at least one has not passed.
 */
async function fill(
  built: Build,
  { ends, places }: Targets,
  options: BuildOptions,
  { before, after }: Framing,
): Promise<Build> {
  const { db, signal } = options;
  const skips = await readSkips(db);
  const lane = fairSemaphore({ running: LANES, waiting: Infinity });
  const inSchema = transactionsIn(db, built.schema);
  const work: Work = (...statements) =>
    lane(() => inSchema((transaction) => allDone(statements.map((each) => each(transaction)))));
  const ready = before?.();
  return readTogether(built, ends, options, (projection) => async (pages) => {
    const { name } = projection;
    const { written = 0n, indexed = false } = places.get(name) ?? {};
    const handlers = indexed ? handlersOf(projection) : buildHandlersOf(projection);
    await ready;
    const end = ends.get(name) ?? 0n;
    await writePages(projection, pages, { written, end, handlers, skips, work });
    signal?.throwIfAborted();
    if (!after || indexed) return;
    await finishTables(projection, (last) => work((transaction) => transaction.query(last)));
    await work(
      (transaction) => after(projection, transaction),
      (transaction) => noteIndexed(transaction, name),
    );
  });
}

/** Reads what projections of a build have not passed, and counts it. */
async function readTogether(
  built: Build,
  ends: ReadonlyMap<string, bigint>,
  { log, projections, onProgress, signal }: BuildOptions,
  readerOf: (projection: Projection) => LogReader,
): Promise<Build> {
  const endOf = ({ name }: Projection): bigint => ends.get(name) ?? 0n;
  const stretches = joinStretches(
    projections.map((each) => ({ after: passedBy(built, each), until: endOf(each) })),
  );
  const start = stretches[0]?.after ?? 0n;
  const head = built.read.position + leftAfter(stretches, start);
  const { from } = built.read;
  let { events } = built.read;
  const passed = new Map(built.passed);
  await readLogTogether({
    read: async (after) => {
      for (const stretch of stretches.filter(({ until }) => until > after)) {
        signal?.throwIfAborted();
        const page = await readUpTo(log, larger(after, stretch.after), stretch.until);
        if (page.length > 0) return page;
      }
      return [];
    },
    after: start,
    readers: projections.map(readerOf),
    onPassed: (page) => {
      const at = page.at(-1)?.position ?? start;
      for (const each of projections)
        passed.set(each.name, larger(passedBy({ passed }, each), smaller(at, endOf(each))));
      events += page.length;
      const position = head - leftAfter(stretches, at);
      const all = projections.map((each) => passedBy({ passed }, each)).reduce(smaller);
      onProgress?.({ position, head, events, from, passed: all });
    },
  });
  for (const each of projections) passed.set(each.name, larger(passedBy({ passed }, each), endOf(each)));
  return { schema: built.schema, passed, read: { position: head, from, events } };
}

type Work = (...statements: ((db: Db) => Promise<unknown>)[]) => Promise<void>;

interface Writing {
  /** The end of the last page that had events for it. */
  written: bigint;
  end: bigint;
  handlers: ReadonlyMap<string, Handler>;
  skips: Skips;
  work: Work;
}

/** Writes the events of pages that a projection takes, up to its end. */
async function writePages(
  projection: Projection,
  pages: AsyncIterable<readonly RecordedEvent[]>,
  { written, end, handlers, skips, work }: Writing,
): Promise<void> {
  const { name } = projection;
  const write = (events: readonly RecordedEvent[], from: bigint, to: bigint): Promise<void> =>
    work(
      (transaction) => advance(transaction, name, { from, to }),
      (transaction) => applyBatch(handlers, withoutSkipped(skips, name, events), transaction, { name }),
    );
  let at = written;
  for await (const page of pages) {
    const news = between(page, at, end);
    const to = news.at(-1)?.position;
    if (to === undefined || !news.some((event) => concerns(handlers, event))) continue;
    await write(news, at, to).catch(async (error: unknown) => {
      if (isConnectionError(error)) throw error;
      await narrow(projection, { events: news, at, write });
    });
    at = to;
  }
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

/** Nearly all pages are taken whole: only those around a resumed place and around the end are cut. */
const between = (page: readonly RecordedEvent[], after: bigint, until: bigint): readonly RecordedEvent[] =>
  (page[0]?.position ?? 0n) > after && (page.at(-1)?.position ?? 0n) <= until
    ? page
    : page.filter(({ position }) => position > after && position <= until);

/**
 * Returns where each projection ends, by name: at the position of its live group. A shadow must not get ahead of
 * its group, which would apply the events between a second time. Without a live group, at the head of the log,
 * or where it is already.
 */
async function endsOf(
  { db, log, projections, until }: BuildOptions,
  built?: Build,
): Promise<ReadonlyMap<string, bigint>> {
  const named = (end: (projection: Projection) => bigint): Map<string, bigint> =>
    new Map(projections.map((each) => [each.name, end(each)]));
  if (until !== undefined) return named(() => until);
  const groups = projections.map(({ group }) => group);
  const positions = await groupPositions(db, groups);
  const head = groups.every((group) => positions.has(group)) ? 0n : await log.head();
  return named((each) => positions.get(each.group) ?? (built ? passedBy(built, each) : head));
}

/**
 * Applies the events between what a projection of a build has passed and `until`, within a transaction.
 * @returns the build as it is after the commit
 */
export async function catchUpIn(
  db: Db,
  built: Build,
  { log, projection, until }: { log: EventSource; projection: Projection; until: bigint | undefined },
): Promise<Build> {
  const position = passedBy(built, projection);
  if (until === undefined || position >= until) return built;
  await allDone(entering(built.schema).map((each) => db.query(each)));
  await applyUpTo(db, { log, projections: [projection], position, until });
  await noteWritten(db, projection.name, until);
  return { ...built, passed: new Map(built.passed).set(projection.name, until) };
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

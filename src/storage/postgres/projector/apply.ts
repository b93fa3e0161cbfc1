import type { RecordedEvent } from '#kernel/event.ts';
import type { Handler, Projection } from '#kernel/projection.ts';
import type { Db, Statement } from '#kernel/read.ts';
import { survivingStrays } from '#kernel/stray-rejections.ts';
import { planBatches } from './batch-plan.ts';
import { HandlerRun, IDLE } from './handler-run.ts';

/** Returns the handlers of a projection by event type. */
export function handlersOf(projection: Pick<Projection, 'handlers'>): ReadonlyMap<string, Handler> {
  return new Map(projection.handlers.map(({ type, handler }) => [type, handler]));
}

/** Returns the handlers that fill the tables of a projection from the start of the log, until `finishTables`. */
export function buildHandlersOf(projection: Projection): ReadonlyMap<string, Handler> {
  return handlersOf(projection.lastState ?? projection);
}

/** Fills what the handlers of a build have left for its end. `run` runs one statement. */
export async function finishTables(
  { lastState }: Projection,
  run: (statement: Statement) => Promise<unknown>,
): Promise<void> {
  for (const step of lastState?.finish ?? []) await allDone(step.map(run));
}

/** Returns a query for the rows of a table that a rebuild reproduces. */
export const comparedRows = ({ compared }: Projection, table: string, schema: string): string =>
  compared?.[table]?.(schema) ?? `select * from ${schema}.${table}`;

export interface ApplyOptions {
  /** The projection of the handlers, for the log of the server. */
  name?: string;
  /** Milliseconds for which a handler may wait for something else than a statement. */
  idle?: number;
}

/**
 * Applies a batch to one projection, in as few statements as its handlers allow.
 * @throws Error when a handler rejects an event, whatever it does meanwhile, or when an event cannot be decoded
 */
export async function applyBatch(
  handlers: ReadonlyMap<string, Handler>,
  events: readonly RecordedEvent[],
  db: Db,
  { name = 'without a name', idle = IDLE }: ApplyOptions = {},
): Promise<void> {
  const unreadable = events.find((event) => event.unreadable !== undefined);
  if (unreadable) throw new Error(unreadable.unreadable);
  if (!events.some(({ type }) => handlers.has(type))) return;
  await survivingStrays(`projection ${name}`, async () => {
    for (const { handler, events: run } of planBatches(events, handlers)) {
      await new HandlerRun(db, idle).apply(handler, run);
    }
  });
}

/** Tells whether a projection with these handlers takes the event, or halts at it. */
export const concerns = (
  handlers: ReadonlyMap<string, Handler>,
  { type, unreadable }: RecordedEvent,
): boolean => unreadable !== undefined || handlers.has(type);

/**
 * Waits for concurrent work on one connection until all of it has ended: a statement that a failure left
 * behind must not be sent after the rollback.
 * @throws the first error; later ones are only its consequences
 */
export async function allDone(works: readonly Promise<unknown>[]): Promise<void> {
  let failure: { error: unknown } | undefined;
  await Promise.all(works.map((work) => work.catch((error: unknown) => void (failure ??= { error }))));
  if (failure) throw failure.error;
}

/** Creates the tables of a projection and its handlers' indexes in the first schema of the search path. */
export async function createTables(projection: Projection, schema: string, db: Db): Promise<void> {
  const { tables, handlerIndexes = [] } = projection;
  const each = Object.entries(tables).map(
    ([table, columns]) => `create table ${schema}.${table} (${columns})`,
  );
  await runAll(each, db);
  await runAll(handlerIndexes, db);
}

/** Creates the indexes that only queries use. The search path decides for which tables. */
export const createIndexes = ({ indexes }: Projection, db: Db): Promise<void> => runAll(indexes, db);

const runAll = (statements: readonly string[], db: Db): Promise<void> =>
  allDone(statements.map((each) => db.query(each)));

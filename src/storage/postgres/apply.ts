import type { RecordedEvent } from '../../kernel/event.ts';
import { planBatches } from './batch-plan.ts';
import type { Handler, Projection } from '../../kernel/projection.ts';
import type { Db, Statement } from '../../kernel/read.ts';
import { encodeArrays } from './arrays.ts';

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

/** Applies a batch to one projection, in as few statements as its handlers allow. */
export async function applyBatch(
  handlers: ReadonlyMap<string, Handler>,
  events: readonly RecordedEvent[],
  db: Db,
): Promise<void> {
  const encoding: Db = {
    query: (statement, values) => db.query(statement, values && encodeArrays(statement, values)),
  };
  for (const { handler, events: run } of planBatches(events, handlers)) await handler.apply(run, encoding);
}

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

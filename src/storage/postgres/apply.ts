import type { RecordedEvent } from '../../kernel/event.ts';
import { planBatches } from './batch-plan.ts';
import type { Handler, Projection } from '../../kernel/projection.ts';
import type { Db } from '../../kernel/read.ts';
import { encodeArrays } from './arrays.ts';

/** Returns the handlers of a projection by event type. */
export function handlersOf(projection: Projection): ReadonlyMap<string, Handler> {
  return new Map(projection.handlers.map(({ type, handler }) => [type, handler]));
}

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

import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Db } from '#kernel/read.ts';

/** The channel that Node publishes to at each request, before its listeners run. */
const REQUEST = 'http.server.request.start';

/**
 * Returns the names of the statements that requests to this process run on `db` during `work`. Timers and
 * reactors run statements at any moment, so only those within a request count.
 */
export async function statementsOfRequests(db: Db, work: () => Promise<unknown>): Promise<string[]> {
  const requests = new AsyncLocalStorage<true>();
  const enter = (): void => requests.enterWith(true);
  const statements: string[] = [];
  const original = db.query.bind(db);
  db.query = (statement, values) => {
    if (requests.getStore()) statements.push(typeof statement === 'string' ? statement : statement.name);
    return original(statement, values);
  };
  subscribe(REQUEST, enter);
  try {
    await work();
  } finally {
    unsubscribe(REQUEST, enter);
    db.query = original;
  }
  return statements;
}

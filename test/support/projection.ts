import { expect } from 'chai';
import type { DomainEvent, RecordedEvent } from '#kernel/event.ts';
import type { Handler, Projection } from '#kernel/projection.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import {
  applyBatch,
  buildHandlersOf,
  comparedRows,
  createIndexes,
  createTables,
  finishTables,
  handlersOf,
} from '#storage/postgres/projector/apply.ts';
import { freshDatabase } from './database.ts';

/**
 * Creates an empty database whose transactions send statements as those of projectors do. The caller closes
 * it.
 */
export const openScratchDatabase = async (): Promise<Database> =>
  openDatabase({
    url: await freshDatabase(),
    max: 2,
    applicationName: 'rookery projection specs',
    gather: true,
  });

/** The rows of each table, ordered by their JSON text. */
export type Rows = Record<string, Record<string, unknown>[]>;

const SCHEMA = 'projection_spec';

/**
 * Returns the rows that a projection makes of these events. Fails when they depend on how batches are cut, or
 * on the order of two neighbours whose keys allow a swap (`src/kernel/projection.ts`): the plan of a batch
 * swaps them when an earlier run takes the second.
 */
export async function project(
  db: Database,
  projection: Projection,
  events: readonly DomainEvent[],
): Promise<Rows> {
  await createEmpty(db, projection);
  const log = events.map(asRecorded);
  const apply = (...batches: RecordedEvent[][]): Promise<Rows> => rowsOf(db, projection, batches);
  const oneByOne = await apply(...log.map((event) => [event]));
  expect(await apply(log), 'all at once and one by one').to.deep.equal(oneByOne);
  for (let cut = 1; cut < log.length; cut += 1) {
    const inTwo = await apply(log.slice(0, cut), log.slice(cut));
    expect(inTwo, `cut after event ${cut}`).to.deep.equal(oneByOne);
  }
  const compared = (...batches: RecordedEvent[][]): Promise<Rows> =>
    rowsOf(db, projection, batches, { compared: true });
  const expected = await compared(log);
  const handlers = handlersOf(projection);
  for (const [index, [first, second]] of neighbours(log).entries()) {
    if (!mayBeSwapped(handlers, first, second)) continue;
    const swapped = await compared(log.slice(0, index), [second], [first], log.slice(index + 2));
    const what = `event ${index + 1} (${first.type}) behind event ${index + 2} (${second.type})`;
    expect(swapped, what).to.deep.equal(expected);
  }
  const built = await rowsOf(db, projection, [log], { compared: true, built: true });
  expect(built, 'built and followed').to.deep.equal(expected);
  return oneByOne;
}

const neighbours = (log: readonly RecordedEvent[]): [RecordedEvent, RecordedEvent][] =>
  log.slice(1).map((second, index) => [log[index] as RecordedEvent, second]);

function mayBeSwapped(
  handlers: ReadonlyMap<string, Handler>,
  first: RecordedEvent,
  second: RecordedEvent,
): boolean {
  const [one, other] = [first, second].map((event) => usesOf(handlers.get(event.type), event));
  if (!one || !other || one.handler === other.handler) return false;
  return !one.keys.some((key) => other.all.includes(key)) && !other.keys.some((key) => one.all.includes(key));
}

function usesOf(
  handler: Handler | undefined,
  event: RecordedEvent,
): { handler: Handler; keys: readonly string[]; all: readonly string[] } | undefined {
  const keys = handler?.keys?.(event);
  return handler && keys && { handler, keys, all: [...keys, ...(handler.reads?.(event) ?? [])] };
}

/** Creates the tables of a projection in a schema of their own. */
const createEmpty = (db: Database, projection: Projection): Promise<void> =>
  db.transaction(async (transaction) => {
    await transaction.query(`drop schema if exists ${SCHEMA} cascade`);
    await transaction.query(`create schema ${SCHEMA}`);
    await transaction.query(`set local search_path = ${SCHEMA}`);
    await createTables(projection, SCHEMA, transaction);
    await createIndexes(projection, transaction);
  });

const UNDONE = new Error('Rolled back');

/** Returns the rows after these batches, all or those that `verify` compares, and empties the tables. */
async function rowsOf(
  db: Database,
  projection: Projection,
  batches: readonly RecordedEvent[][],
  { compared = false, built = false } = {},
): Promise<Rows> {
  const found: Rows = {};
  const applied = db.transaction(async (transaction) => {
    await transaction.query(`set local search_path = ${SCHEMA}`);
    const handlers = built ? buildHandlersOf(projection) : handlersOf(projection);
    for (const batch of batches) await applyBatch(handlers, batch, transaction);
    if (built) await finishTables(projection, (last) => transaction.query(last));
    for (const table of Object.keys(projection.tables)) {
      const rows = compared ? `(${comparedRows(projection, table, SCHEMA)})` : table;
      const texts = await transaction.query<{ row: string }>(
        `select to_jsonb(t)::text as row from ${rows} t order by 1`,
      );
      found[table] = texts.map(({ row }) => parseRow(row));
    }
    throw UNDONE;
  });
  await applied.catch((error: unknown) => {
    if (error !== UNDONE) throw error;
  });
  return found;
}

/** Ids exceed the safe integers of JavaScript, so long numbers become texts. */
const parseRow = (text: string): Record<string, unknown> =>
  JSON.parse(text.replace(/(?<=[:[,] ?)([0-9]{15,})(?=[,}\]])/g, '"$1"')) as Record<string, unknown>;

/** Returns an event as the log would return it. */
export const asRecorded = ({ type, data }: DomainEvent, index: number): RecordedEvent => ({
  position: BigInt(index + 1),
  stream: 'spec',
  revision: index,
  id: `00000000-0000-8000-8000-${String(index).padStart(12, '0')}`,
  type,
  data,
  metadata: { time: '2026-11-21T08:00:00.000Z', command_id: 'spec', correlation_id: 'spec' },
});

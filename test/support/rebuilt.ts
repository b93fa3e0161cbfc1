import type { App } from '#app/app.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import type { Projection } from '#kernel/projection.ts';
import type { Db } from '#kernel/read.ts';
import type { Digests } from '#kernel/services/read-models.ts';
import { projections } from '#projections/index.ts';
import { type Database, openDatabase, READ_MODELS } from '#storage/postgres/db.ts';
import {
  allDone,
  applyBatch,
  buildHandlersOf,
  comparedRows,
  createTables,
  finishTables,
} from '#storage/postgres/projector/apply.ts';
import { readSkips, type Skips, withoutSkipped } from '#storage/postgres/projector/skips.ts';
import { freshDatabase } from './database.ts';

export type Difference = Omit<Digests, 'rows'>;

const SCHEMA = 'rebuilt';
const PAGE = 2_000;
const handlers = new Map(projections.map((each) => [each, buildHandlersOf(each)]));
const tables = new Map(projections.flatMap((each) => Object.keys(each.tables).map((table) => [table, each])));
let empty: Promise<Database> | undefined;

/**
 * Rebuilds all read models of an app from its log and compares them with the live ones, as `verify` does, but
 * in tables of a database of this process that are reused and emptied afterwards. Creating some hundred
 * tables and indexes takes a second. @returns the tables that differ
 */
export async function differencesFromLog(app: Pick<App, 'log' | 'projectionDb'>): Promise<Difference[]> {
  const rebuilt = await (empty ??= makeTables());
  return app.projectionDb.transaction(async (live) => {
    const positions = await holdGroups(live);
    let differences: Difference[] = [];
    await undone(rebuilt, async (db) => {
      await replay(app.log, positions, await readSkips(live), db);
      await allDone(projections.map((each) => finishTables(each, (last) => db.query(last))));
      differences = compare(await digests(live, READ_MODELS), await digests(db, SCHEMA));
    });
    return differences;
  });
}

async function makeTables(): Promise<Database> {
  const db = openDatabase({
    url: await freshDatabase(),
    max: 1,
    applicationName: 'rookery rebuilt read models',
    gather: true,
    synchronousCommit: false,
    statementTimeout: 0,
    // As in a rebuild, plans are made while the tables are small.
    settings: { search_path: SCHEMA, enable_seqscan: 'off' },
  });
  await db.transaction(async (transaction) => {
    await transaction.query(`create schema ${SCHEMA}`);
    await allDone(projections.map((each) => createTables(each, SCHEMA, transaction)));
  });
  return db;
}

/** Locks the checkpoints of all groups. @returns the position of each group */
async function holdGroups(live: Db): Promise<Map<string, bigint>> {
  const rows = await live.query<{ group: string; position: string }>(
    'select "group", position from durable.projections order by name, version for update',
  );
  return new Map(rows.map(({ group, position }) => [group, BigInt(position)]));
}

/** Applies the events that each group has applied. */
async function replay(
  log: App['log'],
  positions: ReadonlyMap<string, bigint>,
  skips: Skips,
  db: Db,
): Promise<void> {
  const ends = [...positions.values()];
  const end = ends.reduce((a, b) => (a > b ? a : b), 0n);
  for (let after = 0n; after < end;) {
    // Later events may be of types that this version does not know.
    const most = end - after < PAGE ? Number(end - after) : PAGE;
    const page = await log.readAll(after, most);
    const last = page.at(-1);
    if (!last) return;
    await allDone(
      projections.map((each) => {
        const taken = until(page, positions.get(each.group) ?? 0n);
        return apply(each, withoutSkipped(skips, each.name, taken), db);
      }),
    );
    after = last.position;
  }
}

const until = (page: readonly RecordedEvent[], end: bigint): RecordedEvent[] =>
  page.filter(({ position }) => position <= end);

const apply = (projection: Projection, page: readonly RecordedEvent[], db: Db): Promise<void> =>
  applyBatch(handlers.get(projection)!, page, db);

/** Returns the row count of each table and a sum of row hashes that does not depend on their order. */
async function digests(db: Db, schema: string): Promise<Map<string, string>> {
  // Most tables are empty, and checking their size alone takes a third of the time.
  const filled = await db.query<{ table: string }>(
    `select relname as table from pg_class
     where relnamespace = '${schema}'::regnamespace and relname = any($1) and pg_relation_size(oid) > 0`,
    [[...tables.keys()]],
  );
  if (filled.length === 0) return new Map();
  const each = filled.map(
    ({ table }) =>
      `select '${table}' as table, count(*) || ' rows, ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as digest
       from (${comparedRows(tables.get(table)!, table, schema)}) t`,
  );
  const rows = await db.query<{ table: string; digest: string }>(each.join(' union all '));
  return new Map(rows.map(({ table, digest }) => [table, digest]));
}

const EMPTY = '0 rows, 0';

const compare = (live: ReadonlyMap<string, string>, rebuilt: ReadonlyMap<string, string>): Difference[] =>
  [...tables.keys()]
    .map((table) => ({ table, live: live.get(table) ?? EMPTY, rebuilt: rebuilt.get(table) ?? EMPTY }))
    .filter((each) => each.live !== each.rebuilt);

const UNDONE = new Error('Rolled back');

async function undone(db: Database, work: (db: Db) => Promise<void>): Promise<void> {
  const done = db.transaction(async (transaction) => {
    await work(transaction);
    throw UNDONE;
  });
  await done.catch((error: unknown) => {
    if (error !== UNDONE) throw error;
  });
}

import type { Projection } from '../../kernel/projection.ts';
import type { Db } from '../../kernel/read.ts';
import type { Digests } from '../../kernel/services/read-models.ts';
import { allDone, comparedRows } from './apply.ts';
import { build, buildTables, catchUp, catchUpIn, type BuildOptions, type Progress } from './build.ts';
import { notingProgress } from './build-progress.ts';
import { READ_MODELS } from './db.ts';
import { LOCKS } from './locks.ts';
import { holdTables, swapTables, type Patience } from './swap-tables.ts';
import { holdLock } from './transaction-lock.ts';

const SCHEMA = 'build_read_models';

export type Difference = Digests;

export interface RebuildOptions extends BuildOptions {
  /**
   * Called with the digests of the tables that are replaced and of their successors; without it nothing is compared.
   * The group halts for the comparison.
   */
  onCompared?: (digests: readonly Digests[]) => void;
}

/**
 * Rebuilds projections and replaces the live ones, in one short transaction per projection. Processes take
 * turns, because their tables have the same names.
 */
export async function rebuild(options: RebuildOptions): Promise<void> {
  await options.db.transaction(async (lock) => {
    await lock.query('set local idle_in_transaction_session_timeout = 0');
    await holdLock(lock, LOCKS.rebuild, options.signal);
    await rebuildAlone(options);
  });
}

async function rebuildAlone(options: RebuildOptions): Promise<void> {
  const started = performance.now();
  await dropAbandoned(options.db);
  const note = notingProgress(options.db, SCHEMA, options.projections);
  const onProgress = (progress: Progress): void => {
    options.onProgress?.(progress);
    note(progress);
  };
  const built = await build(SCHEMA, { ...options, onProgress });
  // Catches up first, so that little is left to do under the lock.
  const { position } = await catchUp(built, options);
  for (const projection of options.projections) {
    options.signal?.throwIfAborted();
    await swapTables(options.db, async (db, patience) => {
      const until = await lockGroup(db, projection, options.log);
      const only = { log: options.log, projections: [projection], until };
      await catchUpIn(db, { schema: SCHEMA, position }, only);
      const digests = options.onCompared && (await digestsIn(db, projection, SCHEMA));
      const seconds = (performance.now() - started) / 1_000;
      await swap(db, projection, { schema: SCHEMA, position: until, patience, seconds });
      if (digests) options.onCompared?.(digests);
    });
  }
  await options.db.query(`drop schema ${SCHEMA} cascade`);
}

/**
 * Drops the schemas of earlier versions, which used one for each set of projections and left it behind when
 * they were killed.
 */
async function dropAbandoned(db: Db): Promise<void> {
  const rows = await db.query<{ name: string }>(
    `select quote_ident(nspname) as name from pg_namespace where nspname like 'build\\_%' and nspname <> $1`,
    [SCHEMA],
  );
  await Promise.all(rows.map(({ name }) => db.query(`drop schema ${name} cascade`)));
}

/**
 * Rebuilds beside the live tables and compares table by table at one common position. The group halts only
 * for the comparison.
 * @returns the digests of all tables
 */
export async function compare(options: BuildOptions): Promise<Digests[]> {
  const schema = `verify_${process.pid}`;
  // The rows are only compared, so indexes for queries are omitted.
  const built = await buildTables(schema, options);
  const { position } = await catchUp(built, options);
  const digests: Digests[] = [];
  for (const projection of options.projections) {
    await options.db.transaction(async (db) => {
      const until = await lockGroup(db, projection, options.log);
      await catchUpIn(db, { schema, position }, { log: options.log, projections: [projection], until });
      digests.push(...(await digestsIn(db, projection, schema)));
    });
  }
  await options.db.query(`drop schema ${schema} cascade`);
  return digests;
}

/** Compares as `compare` does. @returns the tables whose digests differ */
export const verify = async (options: BuildOptions): Promise<Digests[]> =>
  (await compare(options)).filter(({ live, rebuilt }) => live !== rebuilt);

async function digestsIn(db: Db, projection: Projection, schema: string): Promise<Digests[]> {
  const found: Digests[] = [];
  const compared = Object.keys(projection.tables).map(async (table) => {
    const rows = (of: string): string => comparedRows(projection, table, of);
    found.push({ table, ...(await digests(db, rows(READ_MODELS), rows(schema))) });
  });
  await allDone(compared);
  return found.toSorted((a, b) => (a.table < b.table ? -1 : 1));
}

/** Returns the count of the rows of each query, and an order-independent sum of their hashes. */
async function digests(db: Db, live: string, rebuilt: string): Promise<{ live: string; rebuilt: string }> {
  const digest = (rows: string): string =>
    `(select count(*) || ' rows, ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) from (${rows}) t)`;
  const [row] = await db.query<{ live: string; rebuilt: string }>(
    `select ${digest(live)} as live, ${digest(rebuilt)} as rebuilt`,
  );
  if (!row) throw new Error('No digests');
  return row;
}

/** Locks the group's checkpoints. @returns the position of the group */
async function lockGroup(db: Db, { group }: Projection, log: { head(): Promise<bigint> }): Promise<bigint> {
  const rows = await db.query<{ position: string }>(
    'select position from durable.projections where "group" = $1 order by name, version for update',
    [group],
  );
  const positions = rows.map(({ position }) => BigInt(position));
  // The first projection of a group may be built to any position.
  if (positions.length === 0) return log.head();
  return positions.reduce((a, b) => (a > b ? a : b));
}

async function swap(
  db: Db,
  projection: Projection,
  {
    schema,
    position,
    patience,
    seconds,
  }: { schema: string; position: bigint; patience: Patience; seconds: number },
): Promise<void> {
  const { name, version, group } = projection;
  await holdTables(db, Object.keys(projection.tables), patience);
  for (const table of Object.keys(projection.tables)) {
    await db.query(`drop table if exists ${READ_MODELS}.${table} cascade`);
    await db.query(`alter table ${schema}.${table} set schema ${READ_MODELS}`);
  }
  await db.query('delete from durable.projections where name = $1 and version < $2', [name, version]);
  // Updates the row in place: a runner that waits for its lock would not see a new row.
  await db.query(
    `insert into durable.projections (name, version, "group", position, built_at, build_seconds)
     values ($1, $2, $3, $4, now(), $5)
     on conflict (name, version) do update
       set "group" = $3, position = $4, failure = null, halted = false, built_at = now(), build_seconds = $5`,
    [name, version, group, String(position), seconds],
  );
}

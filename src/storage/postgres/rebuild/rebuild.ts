import type { Projection } from '#kernel/projection.ts';
import type { Db } from '#kernel/read.ts';
import type { Digests } from '#kernel/services/read-models.ts';
import { type Database, READ_MODELS } from '../db.ts';
import { LOCKS } from '../locks.ts';
import { Rejected } from '../projector/event-applier.ts';
import { groupPositions, lockGroup } from '../projector/group-positions.ts';
import { assertNothingLost, commitUnlessLost } from '../projector/lost-commits.ts';
import { noteTaken } from '../projector/skips.ts';
import { holdLock, tryLock } from '../transaction-lock.ts';
import {
  type Build,
  build,
  type BuildOptions,
  buildTables,
  catchUp,
  catchUpIn,
  type Progress,
} from './build.ts';
import { notingProgress, type ProgressNotes } from './build-progress.ts';
import { compareTables } from './differing-rows.ts';
import { holdTables, type Patience, swapTables } from './swap-tables.ts';
import { tablesDigest } from './tables-digest.ts';

const SCHEMA = 'build_read_models';
/** The schema of tables that are only compared. */
const VERIFIED = 'verify_read_models';

export interface RebuildOptions extends BuildOptions {
  /**
   * Called with the digests of the tables that are replaced and of their successors; without it nothing is compared.
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
    // After a note about lost rows, the next build would pass over them.
    const notes = notingProgress(SCHEMA, options.projections, (comment) =>
      commitUnlessLost(options.db, lock, (transaction) => transaction.query(comment)),
    );
    try {
      await rebuildAlone(options, lock, notes);
    } catch (error) {
      // Without its last commits, a build rejects events that it could take.
      if (error instanceof Rejected) await assertNothingLost(lock);
      throw error;
    } finally {
      await notes.written();
    }
  });
}

async function rebuildAlone(options: RebuildOptions, lock: Db, notes: ProgressNotes): Promise<void> {
  const started = performance.now();
  const { db, projections, onCompared } = options;
  await dropAbandoned(db);
  const onProgress = (progress: Progress): void => {
    options.onProgress?.(progress);
    notes.note(progress);
  };
  const begun = await clockOf(db);
  const first = await build(SCHEMA, { ...options, onProgress });
  const built = followed(first, { ...options, onProgress });
  for (const [index, projection] of projections.entries()) {
    options.signal?.throwIfAborted();
    const rest = projections.slice(index);
    await built.stayClose(rest);
    if (onCompared) onCompared(await built.compare(projection, false));
    await swapTables(db, {
      before: () => built.stayClose(rest),
      swap: async (transaction, patience) => {
        const position = await built.join(transaction, projection);
        await assertNothingLost(lock);
        const seconds = (performance.now() - started) / 1_000;
        await swap(transaction, projection, { schema: SCHEMA, position, patience, seconds });
        // A resumed build may have passed an event while it was left out.
        if (first.read.from === 0n) await noteTaken(transaction, projection.name, begun);
      },
    });
  }
  await db.query(`drop schema ${SCHEMA} cascade`);
}

/** Milliseconds after which a build catches up again, so that what it lacks is less than a second's work. */
const CLOSE = 500;

interface FollowedBuild {
  /** Catches up with the groups of these projections, outside of their locks. */
  stayClose(projections: readonly Projection[]): Promise<void>;
  /** Compares the tables of a projection at one moment of the live ones, which go on meanwhile. */
  compare(projection: Projection, keyTexts: boolean): Promise<Digests[]>;
  /** Locks the group of a projection for the rest of a transaction. @returns the position that both have */
  join(transaction: Db, projection: Projection): Promise<bigint>;
}

/** Keeps a build close to the live groups, one projection after the other. */
function followed(build: Build, options: BuildOptions): FollowedBuild {
  const { db, log } = options;
  let built = build;
  let closeUntil = 0;
  return {
    async stayClose(projections) {
      if (performance.now() < closeUntil) return;
      built = await catchUp(built, { ...options, projections });
      closeUntil = performance.now() + CLOSE;
    },
    compare: (projection, keyTexts) =>
      db
        .transaction(async (transaction) => {
          await seeOneMoment(transaction, projection);
          const positions = await groupPositions(transaction, [projection.group]);
          const until = positions.get(projection.group);
          const reached = await catchUpIn(transaction, built, { log, projection, until });
          const { schema } = built;
          return { reached, digests: await compareTables(transaction, projection, { schema, keyTexts }) };
        })
        .then(({ reached, digests }) => {
          built = reached;
          return digests;
        }),
    async join(transaction, projection) {
      const until = await lockGroup(transaction, projection.group);
      const reached = await catchUpIn(transaction, built, { log, projection, until });
      return until ?? reached.passed.get(projection.name) ?? 0n;
    },
  };
}

/**
 * Lets a transaction see rows and checkpoints as they are at this moment. The tables are locked before, so that no other build replaces
 * them meanwhile: those of another one would look empty.
 */
async function seeOneMoment(transaction: Db, { tables }: Projection): Promise<void> {
  await transaction.query('set transaction isolation level repeatable read');
  const names = Object.keys(tables).map((table) => `${READ_MODELS}.${table}`);
  await transaction.query(`lock table ${names.join(', ')} in access share mode`);
}

async function clockOf(db: Db): Promise<string> {
  const [row] = await db.query<{ now: string }>('select clock_timestamp()::text as now');
  if (!row) throw new Error('The database has no clock');
  return row.now;
}

/**
 * Drops the schemas of earlier versions, which used one for each set of projections, and those of comparisons: a killed process
 * leaves its schema behind.
 */
async function dropAbandoned(db: Database): Promise<void> {
  await dropSchemas(db, 'build\\_%');
  await db.transaction(async (lock) => {
    if (await tryLock(lock, LOCKS.verify)) await dropVerified(db);
  });
}

/** Drops the tables of comparisons. The caller holds the lock. */
const dropVerified = (db: Db): Promise<void> => dropSchemas(db, 'verify\\_%');

async function dropSchemas(db: Db, like: string): Promise<void> {
  const rows = await db.query<{ name: string }>(
    'select quote_ident(nspname) as name from pg_namespace where nspname like $1 and nspname <> $2',
    [like, SCHEMA],
  );
  await Promise.all(rows.map(({ name }) => db.query(`drop schema ${name} cascade`)));
}

export interface CompareOptions extends BuildOptions {
  /** Texts in the keys of differing rows are shown, not only their length. */
  keyTexts?: boolean;
}

/**
 * Rebuilds beside the live tables and compares table by table, each projection at one moment of its group, which goes on meanwhile.
 * Processes take turns, because their tables have the same names.
 * @returns the digests of all tables
 */
export const compare = (options: CompareOptions): Promise<Digests[]> =>
  options.db.transaction(async (lock) => {
    await lock.query('set local idle_in_transaction_session_timeout = 0');
    await holdLock(lock, LOCKS.verify, options.signal);
    await dropVerified(options.db);
    try {
      return await compareAlone(options);
    } finally {
      // Without the database, the next comparison or rebuild drops it.
      await dropVerified(options.db).catch(() => undefined);
    }
  });

async function compareAlone(options: CompareOptions): Promise<Digests[]> {
  const { projections, keyTexts = false } = options;
  // The rows are only compared, so indexes for queries are omitted.
  const built = followed(await buildTables(VERIFIED, options), options);
  const digests: Digests[] = [];
  for (const [index, projection] of projections.entries()) {
    await built.stayClose(projections.slice(index));
    digests.push(...(await built.compare(projection, keyTexts)));
  }
  return digests;
}

/** Compares as `compare` does. @returns the tables whose digests differ */
export const verify = async (options: CompareOptions): Promise<Digests[]> =>
  (await compare(options)).filter(({ live, rebuilt }) => live !== rebuilt);

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
  const { name, version, group, handlersDigests: [handlersDigest] = [] } = projection;
  await holdTables(db, Object.keys(projection.tables), patience);
  for (const table of Object.keys(projection.tables)) {
    await db.query(`drop table if exists ${READ_MODELS}.${table} cascade`);
    await db.query(`alter table ${schema}.${table} set schema ${READ_MODELS}`);
  }
  await db.query('delete from durable.projections where name = $1 and version < $2', [name, version]);
  // Updates the row in place: a runner that waits for its lock would not see a new row.
  await db.query(
    `insert into durable.projections
       (name, version, "group", position, built_at, build_seconds, tables_digest, handlers_digest)
     values ($1, $2, $3, $4, now(), $5, $6, $7)
     on conflict (name, version) do update
       set "group" = $3, position = $4, failure = null, halted = false, built_at = now(), build_seconds = $5,
         tables_digest = $6, handlers_digest = $7, last_try = null`,
    [name, version, group, String(position), seconds, tablesDigest(projection), handlersDigest ?? null],
  );
}

import { RookeryError } from '#kernel/errors.ts';
import type { Projection } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { Database } from '../db.ts';
import { LOCKS } from '../locks.ts';
import { commitUnlessLost } from '../projector/lost-commits.ts';
import { build, type BuildOptions } from './build.ts';
import { digestOf, tablesDigest } from './tables-digest.ts';

/** Read models as they were at a position of the log, in a schema of their own beside the live ones. */
export interface AsOfBuild {
  schema: string;
  position: bigint;
}

export interface AsOfOptions extends Omit<BuildOptions, 'until'> {
  /** The position of an event. */
  position: bigint;
  /** The time of that event, ISO 8601. */
  moment: string;
  /**
   * Adds data that is counted from the read models, through a connection that sees them, with the moment as
   * its `now()`.
   */
  finish?: (db: Db) => Promise<void>;
}

/** A build on disk, in any state. */
export interface AsOfState extends AsOfBuild {
  /** Null when the build is not finished. */
  moment: string | null;
  /**
   * `erased`: it may contain data that was erased since. `outdated`: its tables belong to another version of
   * the program.
   */
  state: 'ready' | 'building' | 'unfinished' | 'outdated' | 'erased';
  served: boolean;
  bytes: number;
}

const TRIES = 3;

export const asOfSchema = (position: bigint): string => `as_of_${position}`;

/** Returns the session settings that show a build, with that moment (ISO 8601) as its `now()`. */
export const asOfSettings = (position: bigint, moment: string): Record<string, string> => ({
  // After the build's own `now`.
  search_path: `${asOfSchema(position)},pg_catalog,durable,public`,
  'rookery.now': moment,
});

const LOCK = statement('as_of_lock', `select pg_advisory_xact_lock(${LOCKS.pastBuild}, hashtext($1))`);
const TRY_LOCK = statement<{ held: boolean }>(
  'as_of_try_lock',
  'select pg_try_advisory_xact_lock($1, hashtext($2)) as held',
);
/** A later key encrypts later data, so only existing keys can be in a build. */
const START = statement<{ started_at: string; erased: string }>(
  'as_of_start',
  `select s.at::text as started_at, (
     select count(*) from durable.subject_keys k where k.destroyed_at is not null and k.created_at <= s.at
   ) as erased
   from (select clock_timestamp() as at) s`,
);
/** The comment of a schema is written when the build is finished. */
const BUILDS = `
  select n.schema, substr(n.schema, 7) as position, n.note ->> 'moment' as moment, n.note ->> 'projections' as projections,
    n.note ->> 'tables' as tables,
    (select count(*) from durable.subject_keys k
     where k.destroyed_at is not null and k.created_at <= (n.note ->> 'started_at')::timestamptz
    ) = (n.note ->> 'erased')::bigint as whole, n.oid
  from (select oid, nspname::text as schema, obj_description(oid, 'pg_namespace')::jsonb as note
        from pg_namespace where nspname ~ '^as_of_[0-9]+$') n`;
const FIND = statement<Row>('as_of_find', `select * from (${BUILDS}) b where schema = $1`);
const LIST = statement<ListedRow>(
  'as_of_list',
  `select b.*,
     (select coalesce(sum(pg_total_relation_size(c.oid)), 0) from pg_class c
      where c.relnamespace = b.oid and c.relkind = 'r') as bytes,
     ${isLocked(LOCKS.pastServed)} as served, ${isLocked(LOCKS.pastBuild)} as building
   from (${BUILDS}) b order by length(schema), schema`,
);

/** Two keys of 32 bits: https://www.postgresql.org/docs/current/view-pg-locks.html */
function isLocked(kind: number): string {
  return `exists (select from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
    where l.locktype = 'advisory' and l.objsubid = 2 and l.granted and l.classid = ${kind}
      and l.objid = (hashtext(b.schema)::bigint & 4294967295)::oid)`;
}

interface Row {
  schema: string;
  /** The schema, for Postgres. */
  oid: number;
  position: string;
  moment: string | null;
  projections: string | null;
  /** A digest; null for builds by versions that did not store it. */
  tables: string | null;
  /** Nothing in it was erased since; false or null when the build is not finished. */
  whole: boolean | null;
}

interface ListedRow extends Row {
  served: boolean;
  building: boolean;
  bytes: string;
}

/**
 * Returns a build that can be served: finished, by this version of the program, with nothing erased since.
 */
export async function findAsOf(
  db: Db,
  { position, projections }: Pick<AsOfOptions, 'position' | 'projections'>,
): Promise<AsOfBuild | undefined> {
  const [row] = await db.query(FIND, [asOfSchema(position)]);
  return row && stateOf(row, projections) === 'ready' ? { schema: row.schema, position } : undefined;
}

/** Returns all builds, the earliest position first. */
export async function listAsOf(db: Db, projections: readonly Projection[]): Promise<AsOfState[]> {
  return (await db.query(LIST)).map((row) => {
    const { schema, position, moment, served, building, bytes } = row;
    const state = moment === null && building ? 'building' : stateOf(row, projections);
    return { schema, position: BigInt(position), moment, state, served, bytes: Number(bytes) };
  });
}

/**
 * Builds the read models up to a position, unless they exist, in the way of a rebuild. Live ones are not
 * touched.
 * @throws RookeryError `conflict` when another build of that position must be removed first and is being
 * served
 */
export async function buildAsOf(options: AsOfOptions): Promise<AsOfBuild> {
  const { db, position } = options;
  const schema = asOfSchema(position);
  return db.transaction(async (lock) => {
    await lock.query('set local idle_in_transaction_session_timeout = 0');
    await lock.query(LOCK, [schema]);
    for (let tries = 0; tries <= TRIES; tries += 1) {
      const there = await findAsOf(db, options);
      if (there) return there;
      await refuseServed(lock, schema);
      await make(schema, options, lock);
    }
    throw new RookeryError('unavailable', 'Something was erased each time while this was built; try again');
  });
}

/** @throws RookeryError `not_found`, or `conflict` while the build is in progress or served */
export async function dropAsOf(db: Database, position: bigint): Promise<void> {
  const schema = asOfSchema(position);
  await db.transaction(async (transaction) => {
    if (!(await tryLock(transaction, LOCKS.pastBuild, schema))) {
      throw new RookeryError('conflict', `Position ${position} is being built`);
    }
    await refuseServed(transaction, schema);
    const rows = await transaction.query(FIND, [schema]);
    if (rows.length === 0) throw new RookeryError('not_found', `There is no build of position ${position}`);
    await transaction.query(`drop schema ${schema} cascade`);
  });
}

/**
 * Removes builds that may contain erased data: finished ones, even while they are served, and the remains of
 * interrupted ones. A build in progress checks for itself at its end.
 */
export async function dropErased(db: Database): Promise<void> {
  const rows = await db.query(LIST);
  for (const { schema } of rows.filter(({ whole }) => whole !== true)) {
    await db.transaction(async (transaction) => {
      if (!(await tryLock(transaction, LOCKS.pastBuild, schema))) return;
      // It may have been rebuilt meanwhile.
      const [row] = await transaction.query(FIND, [schema]);
      if (row?.whole === true) return;
      await transaction.query(`drop schema if exists ${schema} cascade`);
    });
  }
}

function stateOf(row: Row, today: readonly Projection[]): AsOfState['state'] {
  const { moment, whole, projections, tables } = row;
  if (moment === null) return 'unfinished';
  if (whole !== true) return 'erased';
  const hasOtherTables = tables !== null && tables !== tablesOf(today);
  return projections === versionsOf(today) && !hasOtherTables ? 'ready' : 'outdated';
}

const tablesOf = (projections: readonly Projection[]): string => digestOf(projections.map(tablesDigest));

const versionsOf = (projections: readonly Projection[]): string =>
  projections.map(({ name, version }) => `${name} ${version}`).join(', ');

async function make(schema: string, options: AsOfOptions, lock: Db): Promise<void> {
  const { db, position, moment, projections, finish } = options;
  const [start] = await db.query(START);
  await build(schema, { ...options, until: position });
  await db.query(
    `create function ${schema}.now() returns timestamptz language sql stable parallel safe
     as $$ select current_setting('rookery.now')::timestamptz $$`,
  );
  await db.transaction(async (transaction) => {
    for (const setting of Object.entries(asOfSettings(position, moment))) {
      await transaction.query('select set_config($1, $2, true)', setting);
    }
    await finish?.(transaction);
    // They never change again.
    const tables = projections.flatMap((projection) => Object.keys(projection.tables));
    await transaction.query(`analyze ${tables.join(', ')}`);
  });
  const made = { projections: versionsOf(projections), tables: tablesOf(projections) };
  const note = JSON.stringify({ ...start, moment, ...made });
  const comment = `comment on schema ${schema} is '${note.replaceAll("'", "''")}'`;
  await commitUnlessLost(db, lock, (transaction) => transaction.query(comment));
}

async function refuseServed(transaction: Db, schema: string): Promise<void> {
  if (await tryLock(transaction, LOCKS.pastServed, schema)) return;
  throw new RookeryError('conflict', `${schema} is being served by another process; stop that first`);
}

/** Held until the transaction ends. */
async function tryLock(transaction: Db, kind: number, schema: string): Promise<boolean> {
  const [row] = await transaction.query(TRY_LOCK, [kind, schema]);
  return row?.held === true;
}

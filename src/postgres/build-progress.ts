import type { Projection } from '../kernel/projection.ts';
import { statement, type Db } from '../kernel/read.ts';

/*
 * How far each projection of a build is, in a table of its schema. It is moved in the transaction that writes the rows, so that a build
 * that was killed can be gone on with.
 */

const TABLE = 'build_progress';
/** Has the name of no projection. */
const ALL = '';
/** How often it is noted how far all are, in milliseconds. */
const NOTED_EVERY = 1_000;

/** The search path decides in which schema. Fails, by a division, where another process has gone on meanwhile. */
const ADVANCE = statement(
  'build_advance',
  `with moved as (
     update ${TABLE} set position = $3 where name = $1 and position = $2 returning name
   )
   select 1 / count(*) from moved`,
);
const INDEXED = statement('build_indexed', `update ${TABLE} set indexed = true where name = $1`);

/** What a projection has of a build. */
export interface BuildPlace {
  /** The end of the last page that had something for it. */
  written: bigint;
  /** It has the indexes that queries need. */
  indexed: boolean;
}

export interface BuildProgress {
  /** What all projections have gone through, with something for them or without. */
  passed: bigint;
  /** By the names of the projections. */
  places: ReadonlyMap<string, BuildPlace>;
}

export async function createProgress(db: Db, schema: string): Promise<void> {
  await db.query(
    `create table ${schema}.${TABLE} (
       name text primary key, version integer not null, program text not null,
       position bigint not null, indexed boolean not null)`,
  );
}

/** All of them are at the start of the log. */
export async function beginProgress(
  db: Db,
  schema: string,
  projections: readonly Projection[],
  program: string,
): Promise<void> {
  const rows = [{ name: ALL, version: 0 }, ...projections];
  await db.query(
    `insert into ${schema}.${TABLE} (name, version, program, position, indexed)
     select n.name, n.version, $3, 0, false from unnest($1::text[], $2::int[]) as n (name, version)`,
    [rows.map(({ name }) => name), rows.map(({ version }) => version), program],
  );
}

interface Row {
  name: string;
  version: number;
  program: string;
  position: string;
  indexed: boolean;
}

/**
 * How far a build of these projections by that program was when it was broken off; undefined where there is none. There may be more
 * projections in it: those are in their places already.
 */
export async function leftBy(
  db: Db,
  schema: string,
  projections: readonly Projection[],
  program: string,
): Promise<BuildProgress | undefined> {
  const [there] = await db.query<{ name: string | null }>('select to_regclass($1)::text as name', [
    `${schema}.${TABLE}`,
  ]);
  if (there?.name == null) return undefined;
  const rows = (await rowsIn(db, schema)).filter((row) => row.program === program);
  const left = new Set(rows.map(({ name, version }) => `${name} ${version}`));
  const all = projections.every(({ name, version }) => left.has(`${name} ${version}`));
  return all ? progressOf(rows) : undefined;
}

export const progressIn = async (db: Db, schema: string): Promise<BuildProgress> =>
  progressOf(await rowsIn(db, schema));

const rowsIn = (db: Db, schema: string): Promise<Row[]> =>
  db.query<Row>(`select name, version, program, position, indexed from ${schema}.${TABLE}`);

function progressOf(rows: readonly Row[]): BuildProgress {
  const places = new Map(
    rows.map(({ name, position, indexed }) => [name, { written: BigInt(position), indexed }]),
  );
  return { passed: places.get(ALL)?.written ?? 0n, places };
}

/** @throws Error of Postgres where the projection is elsewhere than at `from` */
export async function advance(
  db: Db,
  name: string,
  { from, to }: { from: bigint; to: bigint },
): Promise<void> {
  await db.query(ADVANCE, [name, String(from), String(to)]);
}

export async function noteIndexed(db: Db, name: string): Promise<void> {
  await db.query(INDEXED, [name]);
}

/** Notes how far all projections are, now and then: what is read again after that has something for few of them. */
export function notingPassed(db: Db, schema: string): (position: bigint) => void {
  let next = 0;
  return (position) => {
    if (Date.now() < next) return;
    next = Date.now() + NOTED_EVERY;
    const text = `update ${schema}.${TABLE} set position = $2 where name = $1 and position < $2`;
    // A build that is over has no schema any more.
    db.query(text, [ALL, String(position)]).catch(() => undefined);
  };
}

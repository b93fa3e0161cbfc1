import { countEvents, type LogProgress } from '#kernel/event-count.ts';
import type { Projection } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { LOCKS } from '../locks.ts';
import { tablesDigest } from './tables-digest.ts';

/*
 * The position of each projection of a build, in a table of its schema. It moves in the transaction that
 * writes the rows, so a killed build can be resumed. The comment of the schema holds the position of all of
 * them (`BuildNote`).
 */

const TABLE = 'build_progress';
/** Milliseconds. */
const NOTED_EVERY = 1_000;

/**
 * The search path decides in which schema. Fails, by a division by zero, when another process has resumed the
 * build meanwhile.
 */
const ADVANCE = statement(
  'build_advance',
  `update ${TABLE} set position = $3::bigint / (position = $2::bigint)::int where name = $1`,
);
const WRITTEN = statement('build_written', `update ${TABLE} set position = $2 where name = $1`);
const INDEXED = statement('build_indexed', `update ${TABLE} set indexed = true where name = $1`);

/**
 * How far a build has read. `position` also counts what is read again, and `head` is what is left beyond it: both are positions of the
 * log as long as the build reads it for the first time.
 */
export interface BuildProgress extends LogProgress {
  /** The position that all projections have passed. */
  passed: bigint;
}

/** The progress of one projection in a build. */
export interface BuildPlace {
  /** The end of the last page that had events for it. */
  written: bigint;
  /** Its tables are finished, with the indexes that queries need. */
  indexed: boolean;
}

/** By name of the projection. */
export type BuildPlaces = ReadonlyMap<string, BuildPlace>;

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
  await db.query(
    `insert into ${schema}.${TABLE} (name, version, program, position, indexed)
     select n.*, 0, false from unnest($1::text[], $2::int[], $3::text[]) as n`,
    [
      projections.map(({ name }) => name),
      projections.map(({ version }) => version),
      projections.map((each) => makerOf(each, program)),
    ],
  );
}

/** Returns what made the rows of a build: a source file may change between two starts of one version of the program. */
const makerOf = (projection: Projection, program: string): string =>
  [program, tablesDigest(projection), ...(projection.handlersDigests?.slice(0, 1) ?? [])].join(' ');

interface Row {
  name: string;
  version: number;
  /** The version of the program, and the digests of the projection. */
  program: string;
  position: string;
  indexed: boolean;
}

/**
 * Returns the progress of an interrupted build of these projections by that program; undefined without one.
 * Projections that it lacks are already in their place.
 */
export async function leftBy(
  db: Db,
  schema: string,
  projections: readonly Projection[],
  program: string,
): Promise<{ passed: bigint; places: BuildPlaces } | undefined> {
  const [there] = await db.query<{ position: string | null }>(
    `select obj_description(to_regnamespace($1), 'pg_namespace')::jsonb ->> 'position' as position
     where to_regclass($2) is not null`,
    [schema, `${schema}.${TABLE}`],
  );
  if (!there) return undefined;
  const rows = await rowsIn(db, schema);
  const left = new Set(rows.map((row) => `${row.name} ${row.version} ${row.program}`));
  const isLeft = (each: Projection): boolean =>
    left.has(`${each.name} ${each.version} ${makerOf(each, program)}`);
  if (!projections.every(isLeft)) return undefined;
  return { passed: BigInt(there.position ?? 0), places: placesOf(rows) };
}

export const placesIn = async (db: Db, schema: string): Promise<BuildPlaces> =>
  placesOf(await rowsIn(db, schema));

const rowsIn = (db: Db, schema: string): Promise<Row[]> =>
  db.query<Row>(`select name, version, program, position, indexed from ${schema}.${TABLE}`);

const placesOf = (rows: readonly Row[]): BuildPlaces =>
  new Map(rows.map(({ name, position, indexed }) => [name, { written: BigInt(position), indexed }]));

/** @throws Error of Postgres when the projection is not at `from` */
export async function advance(
  db: Db,
  name: string,
  { from, to }: { from: bigint; to: bigint },
): Promise<void> {
  await db.query(ADVANCE, [name, String(from), String(to)]);
}

/** Notes what was written outside of the common reading. */
export async function noteWritten(db: Db, name: string, position: bigint): Promise<void> {
  await db.query(WRITTEN, [name, String(position)]);
}

export async function noteIndexed(db: Db, name: string): Promise<void> {
  await db.query(INDEXED, [name]);
}

/** A build in progress, or one that was killed: the comment of its schema. */
export interface BuildNote {
  names: string[];
  /** The position that all projections have passed; it may lag. */
  position: string;
  /** In events; `total` may be an estimate. Absent from notes of earlier versions. */
  done?: number | null;
  total?: number | null;
  estimated?: boolean | null;
  /** Beyond it nothing is left to read. */
  head: string;
}

const UNDER_WAY = statement<BuildNote>(
  'rebuild_under_way',
  `select n.note ->> 'position' as position, n.note ->> 'head' as head,
     (n.note ->> 'done')::float8 as done, (n.note ->> 'total')::float8 as total,
     (n.note ->> 'estimated')::boolean as estimated,
     array(select jsonb_array_elements_text(n.note -> 'names')) as names
   from (select nspname, obj_description(oid, 'pg_namespace')::jsonb as note
         from pg_namespace where nspname like 'build\\_%') n
   where n.note is not null order by n.nspname`,
);

/** SQL: the note of the build in progress that contains a projection; null without one, and once its process is dead. */
export const noteOfBuild = (name: string): string => `(
  select n.note from (select obj_description(oid, 'pg_namespace')::jsonb as note from pg_namespace where nspname like 'build\\_%') n
  where n.note -> 'names' ? ${name} and exists (
    select from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${LOCKS.rebuild} and objsubid = 1 and granted
      and database = (select oid from pg_database where datname = current_database()))
  limit 1)`;

/** Returns builds in progress, for other processes. */
export const buildsUnderWay = (db: Db): Promise<BuildNote[]> => db.query(UNDER_WAY);

export interface ProgressNotes {
  note(reached: BuildProgress): void;
  /** Resolves when nothing is being written any more. */
  written(): Promise<void>;
}

/** Notes the progress of a build once a second. `write` runs one statement. */
export function notingProgress(
  schema: string,
  projections: readonly Projection[],
  write: (comment: string) => Promise<void>,
): ProgressNotes {
  const names = projections.map(({ name }) => name);
  let next = 0;
  let writing: Promise<void> = Promise.resolve();
  return {
    written: () => writing,
    note(progress) {
      if (Date.now() < next) return;
      next = Date.now() + NOTED_EVERY;
      const note: BuildNote = {
        names,
        position: String(progress.passed),
        head: String(progress.head),
        ...countEvents(progress),
      };
      const comment = `comment on schema ${schema} is '${JSON.stringify(note)}'`;
      // Without it a resumed build reads more.
      writing = Promise.all([writing, write(comment).catch(() => undefined)]).then(() => undefined);
    },
  };
}

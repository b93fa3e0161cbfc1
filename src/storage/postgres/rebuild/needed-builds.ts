import type { Projection } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { Database } from '../db.ts';
import { withOtherTables } from './other-tables.ts';
import { tablesDigest } from './tables-digest.ts';

const BUILT = statement<{ name: string; version: number; tables_digest: string | null }>(
  'projections_built',
  'select name, version, tables_digest from durable.projections',
);
const KEEP_DIGESTS = statement(
  'projections_keep_tables',
  `update durable.projections p set tables_digest = n.digest
   from unnest($1::text[], $2::int[], $3::text[]) as n (name, version, digest)
   where p.name = n.name and p.version = n.version`,
);

/** Called with the names of read models of this version whose tables are not those of this program. */
export type OnOtherTables = (names: readonly string[]) => void;

/**
 * Returns the projections that must be built before this program can serve: they are missing in their version, or their tables differ
 * although the version is the same. Tables with another digest, or with none, are compared once with those that this program makes.
 */
export async function neededBuilds(
  db: Database,
  projections: readonly Projection[],
  onOtherTables?: OnOtherTables,
): Promise<Projection[]> {
  const built = await builtDigests(db);
  const digestOf = (projection: Projection): string | null | undefined => built.get(keyOf(projection));
  const unsure = projections.filter((each) => {
    const digest = digestOf(each);
    return digest !== undefined && digest !== tablesDigest(each);
  });
  const others = unsure.length === 0 ? [] : await withOtherTables(db, unsure);
  await keepTables(
    db,
    unsure.filter((each) => !others.includes(each)),
  );
  if (others.length > 0) onOtherTables?.(others.map(({ name }) => name));
  return projections.filter((each) => digestOf(each) === undefined || others.includes(each));
}

async function builtDigests(db: Db): Promise<Map<string, string | null>> {
  const rows = await db.query(BUILT);
  return new Map(rows.map((row) => [keyOf(row), row.tables_digest]));
}

const keyOf = ({ name, version }: Pick<Projection, 'name' | 'version'>): string => `${name} ${version}`;

/** Stores that the tables of these projections are as this program makes them. */
async function keepTables(db: Db, projections: readonly Projection[]): Promise<void> {
  if (projections.length === 0) return;
  await db.query(KEEP_DIGESTS, [
    projections.map(({ name }) => name),
    projections.map(({ version }) => version),
    projections.map(tablesDigest),
  ]);
}

import { VERSION } from '#config/version.ts';
import { RookeryError } from '#kernel/errors.ts';
import type { Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { type Database, openDatabase } from './db.ts';
import { doneMigrations, hasTable, unknownMigrations } from './migrations/index.ts';

const LAST = statement<Program>(
  'program_versions_last',
  'select version, first_started_at from durable.program_versions order by first_started_at desc limit 1',
);

/** A version that used the data. */
interface Program {
  version: string;
  first_started_at: string;
}

/**
 * Refuses data that a newer version has changed, before anything is written: of its tables or its read models this version knows
 * nothing, and would fill them wrongly.
 * @throws RookeryError `conflict`
 */
export async function refuseNewer(url: string, projections: readonly Projection[]): Promise<void> {
  const db = openDatabase({ url, max: 1, applicationName: 'rookery versions' });
  try {
    const newer = [
      ...unknownMigrations(await doneMigrations(db)),
      ...(await newerReadModels(db, projections)),
    ];
    if (newer.length === 0) return;
    const by = await lastProgram(db);
    const since = by === undefined ? 'of the time before' : `from before ${by.first_started_at}`;
    throw new RookeryError(
      'conflict',
      `This data was made by version ${by?.version ?? 'another, newer one'} of Rookery, and this is ${VERSION} (newer: ${newer.join(', ')}). ` +
        `Install that version, or go back by restoring the backup ${since}: see "Upgrades" in OPERATIONS.md`,
    );
  } finally {
    await db.close();
  }
}

/** Notes that this version uses the data. */
export async function noteProgram(db: Pick<Database, 'query'>): Promise<void> {
  await db.query('insert into durable.program_versions (version) values ($1) on conflict do nothing', [
    VERSION,
  ]);
}

async function newerReadModels(db: Database, projections: readonly Projection[]): Promise<string[]> {
  if (!(await hasTable(db, 'durable.projections'))) return [];
  const known = new Map(projections.map(({ name, version }) => [name, version]));
  const rows = await db.query<{ name: string; version: number }>(
    'select name, version from durable.projections',
  );
  return rows
    .filter(({ name, version }) => version > (known.get(name) ?? version))
    .map(({ name, version }) => `read model ${name} ${version}`);
}

async function lastProgram(db: Database): Promise<Program | undefined> {
  if (!(await hasTable(db, 'durable.program_versions'))) return undefined;
  const [last] = await db.query(LAST);
  return last;
}

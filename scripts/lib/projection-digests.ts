import type { Projection } from '#kernel/projection.ts';
import type { RecordedDigests } from '#projections/digests.ts';
import { projections } from '#projections/index.ts';
import { tablesDigest } from '#storage/postgres/rebuild/tables-digest.ts';
import { closureOf, importModule, importsOf, textOf } from './imports.ts';
import { sourceDigest } from './source-digest.ts';

/** The digests of a projection by its present source. */
export interface PresentDigests {
  name: string;
  version: number;
  tables: string;
  handlers: string;
  /** The file with its version, from the root. */
  file: string;
}

/** The functions that make rows: helpers of projections, and what events and projections share. */
const FOLDERS = ['projections', 'src/mastodon', 'src/events'];

/** A declared event never changes. */
const declaresEvents = (file: string): boolean =>
  file.startsWith('src/events/') && textOf(file).includes('defineEvent(');

/** Computes the digests of all projections from their source. */
export async function presentDigests(): Promise<PresentDigests[]> {
  const files = await filesOfProjections();
  return projections.map((projection) => {
    const { name, version } = projection;
    const file = files.get(name);
    if (file === undefined)
      throw new Error(`projections/index.ts imports no file with the projection ${name}`);
    const handlers = sourceDigest(sourcesOf(file).map(textOf));
    return { name, version, tables: tablesDigest(projection), handlers, file };
  });
}

/** Returns the files with the code that makes the rows of a projection, from the one that declares it. */
export const sourcesOf = (file: string): string[] => [...closureOf(file, FOLDERS, declaresEvents)];

async function filesOfProjections(): Promise<Map<string, string>> {
  const files = importsOf('projections/index.ts')
    .filter(({ target, typeOnly }) => target.startsWith('projections/') && !typeOnly)
    .map(({ target }) => target);
  const found = await Promise.all(
    files.map(async (file) => {
      const exported = Object.values(await importModule(file));
      return exported.filter(isProjection).map(({ name }) => [name, file] as const);
    }),
  );
  return new Map(found.flat());
}

const isProjection = (value: unknown): value is Projection =>
  typeof value === 'object' && value !== null && 'handlers' in value && 'tables' in value && 'name' in value;

/**
 * Returns what is to be recorded: an unchanged line as it is, a new one for a new version, and one more digest for the handlers of a
 * projection that `sameRows` names.
 * @throws Error that names each projection whose code changed and whose version did not
 */
export function nextDigests(
  recorded: ReadonlyMap<string, RecordedDigests>,
  present: readonly PresentDigests[],
  sameRows: readonly string[] = [],
): Map<string, RecordedDigests> {
  const changed = changedDigests(recorded, present);
  const idle = sameRows.filter((name) => !changed.some((each) => each.name === name));
  if (idle.length > 0) throw new Error(`No code changed at the same version: ${idle.join(', ')}`);
  const refused = changed.filter(({ name }) => !sameRows.includes(name));
  if (refused.length > 0) throw new Error(refusal(refused));
  return new Map(
    present.map(({ name, version, tables, handlers }) => {
      const before = recorded.get(name);
      const same = before?.version === version ? before.handlers.filter((each) => each !== handlers) : [];
      return [name, { version, tables, handlers: [handlers, ...same] }];
    }),
  );
}

/** Returns the projections whose code differs from what is recorded for the same version. */
export const changedDigests = (
  recorded: ReadonlyMap<string, RecordedDigests>,
  present: readonly PresentDigests[],
): PresentDigests[] =>
  present.filter(({ name, version, tables, handlers }) => {
    const before = recorded.get(name);
    return before?.version === version && (before.tables !== tables || before.handlers[0] !== handlers);
  });

function refusal(changed: readonly PresentDigests[]): string {
  const names = changed.map(({ name }) => name).join(' ');
  return [
    ...changed.map(
      ({ name, version, file }) =>
        `The code of ${name} changed: raise the version of ${name} to ${version + 1} in ${file}`,
    ),
    `Then run: npm run projections:golden`,
    `If the rows stay the same: npm run projections:golden -- --same-rows ${names}`,
  ].join('\n');
}

/** Returns the text of `projections/digests.txt`. */
export const digestsText = (digests: ReadonlyMap<string, RecordedDigests>): string =>
  [...digests]
    .map(([name, { version, tables, handlers }]) => [name, version, tables, ...handlers].join(' '))
    .sort()
    .join('\n')
    .concat('\n');

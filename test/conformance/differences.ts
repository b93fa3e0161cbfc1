import { readFile } from 'node:fs/promises';
import { EXPLAINED, type Explained } from './explained.ts';
import type { Difference } from './recording.ts';

const PAGE = new URL('../../docs/differences-from-mastodon.md', import.meta.url);

/**
 * Returns the operations that the page of differences names: code spans such as `POST /api/v1/statuses`, or
 * `/api/v1/admin/*`.
 */
export async function documentedOperations(): Promise<string[]> {
  const page = await readFile(PAGE, 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('|'));
  return rows.flatMap((row) => {
    const [, where = ''] = row.split('|');
    return [...where.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  });
}

/** Returns the first cells of the rows of the page. */
export async function documentedRows(): Promise<string[]> {
  const page = await readFile(PAGE, 'utf8');
  return page
    .split('\n')
    .flatMap((line) => (line.startsWith('| ') ? [line.split('|')[1]?.trim() ?? ''] : []));
}

/** Returns the differences without explanation, each with its unexplained places. */
export function undocumented(
  differences: readonly Difference[],
  explained: readonly Explained[] = EXPLAINED,
): Difference[] {
  return differences.flatMap(({ step, operation, places }) => {
    const known = explained.filter(
      ({ operations, steps }) =>
        operations.some((name) => covers(name, operation)) && (steps?.test(step) ?? true),
    );
    const isExplained = (place: string): boolean => known.some((each) => each.places.test(place));
    const status = places.find((place) => place.startsWith('status: '));
    const left =
      status !== undefined && isExplained(status) ? [] : places.filter((place) => !isExplained(place));
    return left.length > 0 ? [{ step, operation, places: left }] : [];
  });
}

/**
 * Does a name on the page cover an operation? It has a path, with or without a method. `*` stands for any
 * rest, and a parameter may have any name.
 */
export function covers(name: string, operation: string): boolean {
  const meant = operation.replaceAll(/\{\w+\}/g, '{}');
  const [, path = ''] = meant.split(' ');
  const said = name.replaceAll(/:\w+/g, '{}');
  return [meant, path].some((full) =>
    said.endsWith('*') ? full.startsWith(said.slice(0, -1)) : full === said,
  );
}

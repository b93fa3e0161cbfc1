import { readFile } from 'node:fs/promises';
import type { Difference } from './recording.ts';

const PAGE = new URL('../../docs/differences-from-mastodon.md', import.meta.url);

/** Returns the operations that the page of differences names: code spans such as `POST /api/v1/statuses`, or `/api/v1/admin/*`. */
export async function documentedOperations(): Promise<string[]> {
  const page = await readFile(PAGE, 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('|'));
  return rows.flatMap((row) => {
    const [, where = ''] = row.split('|');
    return [...where.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  });
}

/** Returns the differences of operations that the page does not name. */
export function undocumented(
  differences: readonly Difference[],
  documented: readonly string[],
): Difference[] {
  return differences.filter(({ operation }) => !documented.some((name) => covers(name, operation)));
}

/** True where a name of the page means an operation: by its path, with or without the method; `*` stands for the rest. */
export function covers(name: string, operation: string): boolean {
  const [, path = ''] = operation.split(' ');
  const said = name.replaceAll(/:(\w+)/g, '{$1}');
  return [operation, path].some((full) =>
    said.endsWith('*') ? full.startsWith(said.slice(0, -1)) : full === said,
  );
}

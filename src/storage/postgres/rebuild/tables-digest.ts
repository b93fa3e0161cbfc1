import { createHash } from 'node:crypto';
import type { Projection } from '#kernel/projection.ts';

/**
 * Returns a digest of the tables and indexes of a projection. White space and the order of the statements do not matter.
 */
export function tablesDigest({
  tables,
  handlerIndexes = [],
  indexes,
}: Pick<Projection, 'tables' | 'handlerIndexes' | 'indexes'>): string {
  const statements = [
    ...Object.entries(tables).map(([table, columns]) => `table ${table} (${columns})`),
    ...handlerIndexes,
    ...indexes,
  ];
  return digestOf(statements.map(withoutWhiteSpace).sort());
}

/** Returns the first 16 hexadecimal digits of SHA-256. */
export const digestOf = (texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16);

const withoutWhiteSpace = (sql: string): string =>
  sql
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),]) ?/g, '$1')
    .trim();

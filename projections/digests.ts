import { readFileSync } from 'node:fs';

/** A line of `digests.txt`: name, version, the digest of the tables, those of the handlers. */
export interface RecordedDigests {
  version: number;
  tables: string;
  /** All of them make the same rows. The first one is that of the present source. */
  handlers: readonly string[];
}

export const DIGESTS = new URL('digests.txt', import.meta.url);

/**
 * Reads the digests of the source of all projections, by name. A spec compares them with the source, and `npm run projections:golden`
 * writes them.
 */
export function recordedDigests(): Map<string, RecordedDigests> {
  const lines = readFileSync(DIGESTS, 'utf8').trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [name = '', version, tables = '', ...handlers] = line.split(' ');
      return [name, { version: Number(version), tables, handlers }];
    }),
  );
}

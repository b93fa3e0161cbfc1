import { z } from 'zod';
import type { MasterKey } from '#kernel/master-key.ts';
import { readLines } from './lines.ts';
import type { Manifest } from './manifest.ts';

/** Lines per read. */
const PAGE = 1_000;
const keyRow = z.object({
  /** Null for an erased user. PostgreSQL writes bytes as `\x` and hexadecimal digits. */
  wrapped: z.string().startsWith('\\x').nullable(),
});

/** Counts the keys of users in a backup, and those of them that the master key does not decrypt. */
export async function countUsersKeys(
  dir: string,
  { tables }: Manifest,
  master: MasterKey,
): Promise<{ all: number; unreadable: number }> {
  const counted = { all: 0, unreadable: 0 };
  const file = tables.find(({ name }) => name === 'subject_keys.ndjson.gz');
  if (!file) return counted;
  const box = master.box('subjectKeys');
  for await (const page of readLines(dir, file, PAGE)) {
    for (const line of page) {
      const { wrapped } = keyRow.parse(JSON.parse(line));
      if (wrapped === null) continue;
      counted.all += 1;
      if (!box.opens(Buffer.from(wrapped.slice(2), 'hex'))) counted.unreadable += 1;
    }
  }
  return counted;
}

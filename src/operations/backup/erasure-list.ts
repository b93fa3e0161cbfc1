import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { batchesOf } from '#kernel/batches.ts';
import { ignoreMissing, makeFolder } from '#kernel/files.ts';
import { parseOrNothing } from '#kernel/parse-json.ts';
import { type Db, statement } from '#kernel/read.ts';

const DESTROYED = statement<z.infer<typeof line>>(
  'erasure_list_destroyed',
  `select subject, destroyed_at from durable.subject_keys
   where destroyed_at is not null and subject > $1 order by subject limit $2`,
);

/** A line: the subject of a destroyed key, and the time (ISO 8601). */
const line = z.object({ subject: z.string().min(1).max(200), destroyed_at: z.iso.datetime() });

/**
 * The subjects whose keys were destroyed, in a file outside of the database: a backup older than an erasure
 * must not restore the erased data. The file only grows; a subject may appear twice.
 */
export class ErasureList {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Writes each subject to the disk before its key is destroyed. */
  before(destroy: (subject: string) => Promise<void>): (subject: string) => Promise<void> {
    return async (subject) => {
      await this.#write([{ subject, destroyed_at: new Date().toISOString() }]);
      await destroy(subject);
    };
  }

  /**
   * Creates the file if it does not exist.
   * @throws Error of the system when the file cannot be written, which must show before an erasure needs it
   */
  async prepare(): Promise<void> {
    await (await this.#open()).close();
  }

  /** Adds subjects that only the database knows: the file may be a new one. */
  async complete(db: Db): Promise<void> {
    const known = await readErasures(this.#path);
    const destroyed = batchesOf((after, limit) => db.query(DESTROYED, [after, limit]), {
      from: '',
      cursorOf: ({ subject }) => subject,
      size: 1_000,
    });
    for await (const rows of destroyed) await this.#write(rows.filter(({ subject }) => !known.has(subject)));
  }

  async #write(entries: readonly z.infer<typeof line>[]): Promise<void> {
    if (entries.length === 0) return;
    const file = await this.#open();
    try {
      // A line of its own, even after one that a crash cut off.
      await file.appendFile(entries.map((entry) => `\n${JSON.stringify(entry)}\n`).join(''));
      await file.sync();
    } finally {
      await file.close();
    }
  }

  async #open(): Promise<FileHandle> {
    await makeFolder(dirname(this.#path));
    return open(this.#path, 'a', 0o600);
  }
}

/**
 * Returns the subjects in a list; none without a file. An incomplete line was cut off by a crash before the
 * key was destroyed: the erasure was repeated later, with a line of its own.
 */
export async function readErasures(path: string): Promise<Set<string>> {
  const subjects = new Set<string>();
  const file = await open(path).catch(ignoreMissing);
  if (!file) return subjects;
  // The loop closes the file at its end.
  for await (const text of file.readLines()) {
    const parsed = line.safeParse(parseOrNothing(text));
    if (parsed.success) subjects.add(parsed.data.subject);
  }
  return subjects;
}

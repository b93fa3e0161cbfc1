import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ignoreMissing, makeFolder } from '#kernel/files.ts';

/**
 * Files without a public address: in a folder of their own in `dataDir`, or in the bucket. Names: 64
 * hexadecimal digits.
 */
export interface ArchiveFiles {
  /** Moves a file from the local disk, all or nothing. @returns its bytes */
  put(path: string, name: string, signal: AbortSignal): Promise<{ size: number }>;
  /** Returns null without the file. The caller reads or destroys the stream. */
  read(name: string): Promise<{ stream: Readable; size: number } | null>;
  remove(name: string): Promise<void>;
  close(): void;
}

/** Opens a folder that only this user can read. */
export const openFolder = (folder: string): ArchiveFiles => ({
  async put(path, name) {
    const file = await open(path, 'r+');
    const { size } = await file
      .sync()
      .then(() => file.stat())
      .finally(() => file.close());
    await rename(path, join(folder, name));
    return { size };
  },
  async read(name) {
    const path = join(folder, name);
    const found = await stat(path).catch(ignoreMissing);
    return found ? { stream: createReadStream(path), size: found.size } : null;
  },
  remove: (name) => rm(join(folder, name), { force: true }),
  close: () => undefined,
});

/** Milliseconds after the last touch at which a file counts as abandoned. */
const LEFT_AFTER = 3_600_000;

/** The folder in which archives are written, each in a folder of its own. Crashes leave folders there. */
export const workshop = (root: string) => ({
  async open(name: string): Promise<string> {
    const folder = join(root, name);
    await makeFolder(folder, 0o700);
    return folder;
  },
  close: (name: string): Promise<void> => rm(join(root, name), { recursive: true, force: true }),
  /** Removes the remains of a crash. */
  async sweep(): Promise<void> {
    const names = (await readdir(root).catch(ignoreMissing)) ?? [];
    for (const name of names) {
      const found = await stat(join(root, name)).catch(ignoreMissing);
      if (found && Date.now() - found.mtimeMs > LEFT_AFTER)
        await rm(join(root, name), { recursive: true, force: true });
    }
  },
});

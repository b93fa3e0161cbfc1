import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { RookeryError } from '../kernel/errors.ts';

/** What a stored file is called: `ab/cd/<SHA-256 of its content>.<extension>`. Also its path in URLs. */
export type MediaKey = string;

/**
 * Files of media, named by their content: the same bytes have the same key, so a key never changes its content and may be
 * cached for ever. Two uploads of the same bytes share a key: remove one only when nothing refers to it any more.
 */
export interface MediaStore {
  /** Stores the bytes whole or not at all; storing them again changes nothing. `extension` without a dot. */
  put(data: Buffer, file: { extension: string; contentType: string }): Promise<MediaKey>;
  /** The stored bytes and their number; null when there is no such file. The caller reads or destroys the stream. */
  read(key: MediaKey): Promise<{ stream: Readable; size: number } | null>;
  /** Removes a file; does nothing when there is none. */
  remove(key: MediaKey): Promise<void>;
}

/** True for a key that a store can have given. Nothing else reaches the file system. */
export const isMediaKey = (key: string): key is MediaKey => {
  const [, first, second, hash] =
    /^([0-9a-f]{2})\/([0-9a-f]{2})\/([0-9a-f]{64})\.[a-z0-9]{1,8}$/.exec(key) ?? [];
  return hash !== undefined && hash.startsWith(`${first}${second}`);
};

/** The key of some bytes, the same in every kind of store. */
export function mediaKey(data: Buffer, extension: string): MediaKey {
  const hash = createHash('sha256').update(data).digest('hex');
  const key = `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}.${extension}`;
  if (!isMediaKey(key)) throw new RookeryError('bad_request', 'Not a file extension');
  return key;
}

/**
 * A store in `<dataDir>/media`. The content type is not kept: whoever serves a file tells it from the extension.
 * Methods throw RookeryError `not_found` for what is not a key.
 */
export function openMediaStore({ dataDir }: { dataDir: string }): MediaStore {
  const root = join(dataDir, 'media');
  const pathOf = (key: MediaKey): string => {
    if (!isMediaKey(key)) throw new RookeryError('not_found', 'Record not found');
    return join(root, key);
  };

  return {
    async put(data, { extension }) {
      const key = mediaKey(data, extension);
      const path = pathOf(key);
      // A file of another size is what a crash of the disk left: it is written again.
      if ((await sizeOf(path)) !== data.length) await writeWhole(path, join(root, 'tmp'), data);
      return key;
    },

    async read(key) {
      const path = pathOf(key);
      const size = await sizeOf(path);
      return size === undefined ? null : { stream: createReadStream(path), size };
    },

    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
  };
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Written beside, flushed, then renamed: a reader sees all of a file or none of it. */
async function writeWhole(path: string, temporaryDir: string, data: Buffer): Promise<void> {
  await mkdir(temporaryDir, { recursive: true });
  const temporary = join(temporaryDir, randomUUID());
  try {
    const file = await open(temporary, 'wx', 0o644);
    try {
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    await mkdir(dirname(path), { recursive: true });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

import { createReadStream, createWriteStream } from 'node:fs';
import { opendir, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ignoreMissing, makeFolder } from '#kernel/files.ts';
import type { StoredFile } from '#kernel/services/media.ts';
import { isMediaKey, mediaKey, mediaKeyOfFile } from '../keys.ts';
import type { S3MediaStore } from '../s3-store.ts';

/** Bytes in memory, or a file on the local disk. */
export type Content = Buffer | string;

/** The storage of cached files. */
export interface CacheFiles {
  write(key: string, content: Content, file: StoredFile): Promise<void>;
  /** Tells whether the whole file exists. */
  has(key: string, bytes: number): Promise<boolean>;
  remove(key: string): Promise<void>;
  /** Lists files written before a time in milliseconds since 1970; undefined when the storage cannot list. */
  olderThan?: (time: number) => AsyncIterable<string>;
}

export const cacheFolderOf = (dataDir: string): string => join(resolve(dataDir), 'media-cache');

export const keyOf = (content: Content, file: StoredFile): Promise<string> =>
  typeof content === 'string' ? mediaKeyOfFile(content, file) : Promise.resolve(mediaKey(content, file));

export const bytesOf = async (content: Content): Promise<number> =>
  typeof content === 'string' ? (await stat(content)).size : content.length;

/**
 * Stores files in a folder, in place: a file is read only after its row says that it is cached, and a partial
 * file of a crash is removed under the same name.
 */
export function openCacheFolder(dir: string): CacheFiles {
  const pathOf = (key: string): string => {
    if (!isMediaKey(key)) throw new TypeError('This is no key');
    return join(dir, key);
  };
  return {
    async write(key, content) {
      const path = pathOf(key);
      await makeFolder(dirname(path));
      await pipeline(
        typeof content === 'string' ? createReadStream(content) : Readable.from([content]),
        createWriteStream(path, { flush: true, mode: 0o644 }),
      );
    },
    has: async (key, bytes) => (await stat(pathOf(key)).catch(ignoreMissing))?.size === bytes,
    remove: (key) => rm(pathOf(key), { force: true }),
    async *olderThan(time) {
      const entries = await opendir(dir, { recursive: true }).catch(ignoreMissing);
      if (!entries) return;
      for await (const entry of entries) {
        const path = join(entry.parentPath, entry.name);
        const key = relative(dir, path).replaceAll('\\', '/');
        if (!entry.isFile() || !isMediaKey(key)) continue;
        const found = await stat(path).catch(ignoreMissing);
        if (found && found.mtimeMs < time) yield key;
      }
    },
  };
}

/** Stores files in a bucket, beside uploads: both are named by their content. */
export const openCacheBucket = (store: S3MediaStore): CacheFiles => ({
  write: async (_key, content, file) => {
    await (typeof content === 'string' ? store.putFile(content, file) : store.put(content, file));
  },
  // A check would cost a request for each view.
  has: () => Promise.resolve(true),
  remove: (key) => store.remove(key),
});

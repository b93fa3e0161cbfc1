import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { notFound } from '#kernel/errors.ts';
import { ignoreMissing, makeFolder } from '#kernel/files.ts';
import type { MediaStore } from '#kernel/services/media.ts';
import { fileOf, isMediaKey, type MediaKey, mediaKey, mediaKeyOfFile } from './keys.ts';

const folderOf = (dataDir: string): string => join(dataDir, 'media');
/** The folder of partly written files. */
export const temporaryFolderOf = (dataDir: string): string => join(folderOf(dataDir), 'tmp');

/**
 * Opens a store in `<dataDir>/media`. The content type is not stored: it follows from the extension. Methods
 * throw RookeryError `not_found` for text that is no key.
 */
export function openMediaStore({ dataDir }: { dataDir: string }): MediaStore {
  const root = folderOf(dataDir);
  const temporaryDir = temporaryFolderOf(dataDir);
  const pathOf = (key: MediaKey): string => {
    if (!isMediaKey(key)) throw notFound();
    return join(root, key);
  };

  const store: MediaStore = {
    async put(data, file) {
      const key = mediaKey(data, file);
      const path = pathOf(key);
      // A file of another size is the remains of a crash, and is written again.
      if ((await sizeOf(path)) !== data.length) {
        await writeWhole(path, temporaryDir, (temporary) => writeFile(temporary, data, { flag: 'wx' }));
      }
      return key;
    },

    async putFile(source, file) {
      const key = await mediaKeyOfFile(source, file);
      const path = pathOf(key);
      if ((await sizeOf(path)) !== (await sizeOf(source))) {
        await writeWhole(path, temporaryDir, (temporary) => copyFile(source, temporary));
      }
      return key;
    },

    fetch: async (key, path) => reading(pathOf(key), (stored) => copyFile(stored, path)),

    async read(key) {
      const path = pathOf(key);
      const size = await sizeOf(path);
      return size === undefined ? null : { stream: createReadStream(path), size };
    },

    size: async (key) => sizeOf(pathOf(key)),

    copy: async (key, owner) => reading(pathOf(key), (stored) => store.putFile(stored, fileOf(key, owner))),

    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
  };
  return store;
}

/** Reads a file that may be removed at any moment. @throws RookeryError `not_found` when it is absent */
async function reading<T>(path: string, read: (path: string) => Promise<T>): Promise<T> {
  try {
    return await read(path);
  } catch (error) {
    if ((await sizeOf(path)) === undefined) throw notFound();
    throw error;
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(ignoreMissing))?.size;
}

/** Writes to a temporary file, flushes and renames it: a reader sees the whole file or none. */
async function writeWhole(
  path: string,
  temporaryDir: string,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  await makeFolder(temporaryDir);
  const temporary = join(temporaryDir, randomUUID());
  try {
    await write(temporary);
    // Uploads wait in files that only this user can read, and a copy would keep that mode.
    const file = await open(temporary, 'r+');
    try {
      await file.chmod(0o644);
      await file.sync();
    } finally {
      await file.close();
    }
    await makeFolder(dirname(path));
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

import { lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ignoreMissing } from '../kernel/files.ts';
import { temporaryFolderOf } from '../adapters/media/store.ts';

/** How uploads, renderings, files of other servers and pictures of cards are named in the system's folder for temporary files. */
const OURS = /^rookery-(?:upload|render|remote|card|copy)-/;
/** In milliseconds: nothing that is still worked on is so old. */
const FORGOTTEN_AFTER = 24 * 3_600_000;
/** Removed at a time; the rest has time. */
const MAX_AT_ONCE = 1_000;

/**
 * Removes temporary files that a killed process left, of this server and of any other on this machine that
 * shares the folder: files without a write for a day.
 */
export async function removeStaleTempFiles(dataDir: string, now = Date.now()): Promise<void> {
  const beside = (await namesIn(tmpdir()))
    .filter((name) => OURS.test(name))
    .map((name) => join(tmpdir(), name));
  const folder = temporaryFolderOf(dataDir);
  const stored = (await namesIn(folder)).map((name) => join(folder, name));
  const found = [...beside, ...stored].slice(0, MAX_AT_ONCE);
  await Promise.all(found.map((path) => dropIfForgotten(path, now)));
}

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(ignoreMissing)) ?? [];

/** Files of other users in a shared folder stay. */
async function dropIfForgotten(path: string, now: number): Promise<void> {
  const found = await lstat(path).catch(ignoreMissing);
  if (!found || found.uid !== process.getuid?.() || now - found.mtimeMs < FORGOTTEN_AFTER) return;
  await rm(path, { recursive: true, force: true });
}

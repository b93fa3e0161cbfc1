import { lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryFolderOf } from '#adapters/media/store.ts';
import { ignoreMissing } from '#kernel/files.ts';

/**
 * The names of uploads, renderings, remote files and card pictures in the system's folder for temporary
 * files.
 */
const OURS = /^rookery-(?:upload|render|remote|card|copy)-/;
/** Milliseconds: no file in use is as old. */
const FORGOTTEN_AFTER = 24 * 3_600_000;
/** Files removed per run; the rest can wait. */
const MAX_AT_ONCE = 1_000;

/**
 * Removes temporary files that a killed process left: files of this server, or of another one on this machine
 * that shares the folder, without a write for a day.
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

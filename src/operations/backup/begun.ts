import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RookeryError } from '#kernel/errors.ts';
import { ignoreMissing, makeFolder } from '#kernel/files.ts';

/**
 * Returns the path of the marker in a data folder that is being filled from a backup, even before its
 * database exists.
 */
const fileIn = (dataDir: string): string => join(dataDir, 'restoring');

/** From now on no server starts on this data folder, which would look like that of a new server. */
export async function beginRestore(dataDir: string, dir: string): Promise<void> {
  await makeFolder(dataDir);
  await writeFile(fileIn(dataDir), `${dir}\n`, { mode: 0o600 });
}

export const endRestore = (dataDir: string): Promise<void> => rm(fileIn(dataDir), { force: true });

/** Tells whether a restore has begun and did not end. */
export const isRestoreBegun = (dataDir: string): boolean => existsSync(fileIn(dataDir));

/** @throws RookeryError `conflict` when a restore has begun and was killed */
export async function refuseBegunRestore(dataDir: string): Promise<void> {
  const dir = await readFile(fileIn(dataDir), 'utf8').catch(ignoreMissing);
  if (dir === undefined) return;
  throw new RookeryError(
    'conflict',
    `A restore from ${dir.trim()} was not finished: give the same "rookery restore" again. For a new server instead, take another DATA_DIR and database`,
  );
}

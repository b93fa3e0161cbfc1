import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** For `catch`: returns undefined for a missing file. @throws any other error */
export function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return undefined;
}

/**
 * Makes a folder and its missing parents. Node's own `recursive` loops for ever below a folder that accepts
 * no others, such as `/proc`.
 * @throws Error of the system, as of `mkdir`
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  if (await isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) await makeFolder(above, mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    // Another process made it meanwhile.
    if (!(await isFolder(path))) throw error;
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

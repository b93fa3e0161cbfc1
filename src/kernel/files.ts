import { mkdir, open, rename, stat } from 'node:fs/promises';
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

/** Writes a file, and waits until it is on the disk. `flags` as of `open`; `wx` refuses an existing file. */
export async function writeDurably(
  path: string,
  text: string,
  { flags = 'w', mode = 0o600 }: { flags?: 'w' | 'wx'; mode?: number } = {},
): Promise<void> {
  const file = await open(path, flags, mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Replaces a file by one with the whole text, or leaves it as it is. */
export async function replaceFile(path: string, text: string, mode = 0o600): Promise<void> {
  await writeDurably(`${path}.part`, text, { mode });
  await rename(`${path}.part`, path);
}

/** Makes a new name in a folder survive a power cut. Windows cannot open folders, and does not need it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

import { statfs } from 'node:fs/promises';
import { ignoreMissing } from '#kernel/files.ts';

/**
 * Bytes. Leaves room for files that are written at the same time: a video, PostgreSQL's log, a picture in
 * three sizes.
 */
export const ENOUGH_ROOM = 512 * 1024 * 1024;

export interface DiskRoom {
  free: number;
  total: number;
}

/** Returns the bytes of the disk of a folder; undefined where there is no such folder, as without local files. */
export async function roomIn(folder: string): Promise<DiskRoom | undefined> {
  const found = await statfs(folder).catch(ignoreMissing);
  return found && { free: found.bavail * found.bsize, total: found.blocks * found.bsize };
}

import { constants } from 'node:fs';
import { type FileHandle, lstat, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing } from '#kernel/files.ts';
import type { Cluster } from './cluster.ts';
import { run } from './programs.ts';

/**
 * A named pipe that every process which uses the server holds open for writing. Nothing is ever written: the kernel closes it also for a
 * process that was killed, and the reader that starts with the server (`WATCHED`) sees the end when the last one is gone.
 */
export interface UsePipe {
  /** Another use had begun before this one. */
  wasHeld: boolean;
  /** Opens the reading end, for the program to start. */
  reader: () => Promise<FileHandle>;
  /** Ends this use. Returns true when it was the last one. */
  leave: () => Promise<boolean>;
}

const nameOf = ({ home }: Cluster): string => join(home, 'in-use');

/** Joins the users of the server. Returns undefined on Windows, which has no such pipes. */
export async function openUsePipe(cluster: Cluster): Promise<UsePipe | undefined> {
  if (process.platform === 'win32') return undefined;
  const path = nameOf(cluster);
  await makePipe(cluster, path);
  const wasHeld = await isHeld(path);
  // For reading too, else the call would wait for a reader.
  const held = await open(path, 'r+');
  return {
    wasHeld,
    reader: () => open(path, 'r'),
    async leave() {
      await held.close();
      const last = !(await isHeld(path));
      if (last) await rm(path, { force: true });
      return last;
    },
  };
}

/** Tells whether a process holds the pipe open for writing: only then does a read without waiting fail, instead of finding the end. */
async function isHeld(path: string): Promise<boolean> {
  const reader = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    await reader.read(Buffer.alloc(1), 0, 1);
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return true;
    throw error;
  } finally {
    await reader.close();
  }
}

async function makePipe({ launcher }: Cluster, path: string): Promise<void> {
  const found = await lstat(path).catch(ignoreMissing);
  if (found?.isFIFO() === true) return;
  await rm(path, { recursive: true, force: true });
  await run(launcher, 'mkfifo', ['-m', '600', path]);
}

/**
 * A shell script that becomes the program of its further arguments, in the same process. First it leaves a second process behind, which
 * waits for the end of the pipe at descriptor 3, and then stops the server, if the file `$1` still names it: the users are gone without
 * having stopped it. That process is no child of the server, which would take its end for a crash.
 */
export const WATCHED = `
( (
  trap '' HUP INT TERM
  read -r line <&3
  read -r pid <"$1" && [ "$pid" = $$ ] && kill -INT $$
) >/dev/null 2>&1 & )
shift
exec 3<&-
exec "$@"
`;

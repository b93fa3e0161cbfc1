import { setPriority } from 'node:os';

/** The niceness of work that gives way to a server on the same machine. */
const NICENESS = 10;

/** Lets this process give way to others. Their own users, and threads that begin later, follow. */
export const runInBackground = (): void => giveWay(0);

/**
 * Lets a process of the embedded PostgreSQL give way as well, which would otherwise compete with those that
 * serve users. It belongs to the same user as this process, or this process is root's.
 */
export function giveWay(pid: number): void {
  try {
    setPriority(pid, NICENESS);
  } catch {
    // The work is then as urgent as any other.
  }
}

import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const SQLITE_BUSY = 5;

/**
 * Runs `action` while no other process of this machine holds the lock file. It uses SQLite's lock of a
 * database file, since Node has no file lock. The kernel drops it when the process dies, so it never goes
 * stale.
 */
export async function withFileLock<T>(path: string, action: () => Promise<T>): Promise<T> {
  const database = new DatabaseSync(path);
  try {
    while (!tryLock(database)) await sleep(20);
    return await action();
  } finally {
    database.close();
  }
}

function tryLock(database: DatabaseSync): boolean {
  try {
    // A journal would be a file: on a full disk, servers could not end and release Postgres.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw error;
  }
}

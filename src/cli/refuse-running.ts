import { setTimeout as sleep } from 'node:timers/promises';
import { RookeryError } from '#kernel/errors.ts';
import { openDatabase } from '#storage/postgres/db.ts';

/** Milliseconds that processes get to close their sessions. */
const PATIENCE = 3_000;
const LOOK_EVERY = 100;

/** @throws RookeryError `conflict` while a server or another verb uses the database */
export async function refuseRunning(url: string): Promise<void> {
  const db = openDatabase({ url, max: 1, applicationName: 'rookery refuse-running' });
  try {
    for (const end = performance.now() + PATIENCE; ; await sleep(LOOK_EVERY)) {
      const [row] = await db.query<{ any: boolean }>(
        `select exists (select from pg_stat_activity where datname = current_database()
           and application_name like 'rookery %' and pid <> pg_backend_pid()) as any`,
      );
      if (row?.any !== true) return;
      if (performance.now() > end) {
        throw new RookeryError('conflict', 'A server uses this database: stop all its processes first');
      }
    }
  } finally {
    await db.close();
  }
}

import { type Db, statement } from '#kernel/read.ts';
import type { Manifest } from './manifest.ts';

const NOTE = statement(
  'backups_note',
  `insert into durable.backups (taken_at, position, events, folder, media, keys) values ($1, $2, $3, $4, $5, $6)
   on conflict (taken_at) do nothing`,
);
/** Some hundred suffice to see that backups are made. */
const FORGET = statement(
  'backups_forget',
  `delete from durable.backups where taken_at < (
     select taken_at from durable.backups order by taken_at desc offset 365 limit 1)`,
);

/** Notes for the operator that a backup was finished, and where it is. */
export async function noteBackup(db: Db, folder: string, manifest: Manifest): Promise<void> {
  const { taken_at, position, log, media, keys } = manifest;
  await db.query(NOTE, [taken_at, position, log.rows, folder, media, keys]);
  await db.query(FORGET);
}

import { RookeryError } from '../kernel/errors.ts';
import { statement, type Db } from '../kernel/read.ts';
import type { Manifest } from './manifest.ts';

const NOTE = statement(
  'restores_note',
  'insert into durable.restores (backup_id, taken_at, position) values ($1, $2, $3)',
);
const FINISH = statement(
  'restores_finish',
  'update durable.restores set finished_at = now() where backup_id = $1',
);
const UNFINISHED = statement(
  'restores_unfinished',
  'select backup_id from durable.restores where finished_at is null limit 1',
);

/** Stands with the rows of a backup from the same moment on: they are there, and what was erased since is not gone yet. */
export async function noteRestore(db: Db, { id, taken_at, position }: Manifest): Promise<void> {
  await db.query(NOTE, [id, taken_at, position]);
}

export async function finishRestore(db: Db, backupId: string): Promise<void> {
  await db.query(FINISH, [backupId]);
}

/** The backup whose restore has begun and not ended. */
export async function unfinishedRestore(db: Db): Promise<string | undefined> {
  return (await db.query<{ backup_id: string }>(UNFINISHED))[0]?.backup_id;
}

/**
 * Nobody may see a restored server before what was erased after the backup is erased again.
 * @throws RookeryError `conflict`
 */
export async function refuseUnfinishedRestore(db: Db): Promise<void> {
  if ((await unfinishedRestore(db)) === undefined) return;
  throw new RookeryError(
    'conflict',
    'A restore of this database was not finished: give the same "rookery restore" again',
  );
}

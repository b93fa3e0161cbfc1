import { RookeryError } from '#kernel/errors.ts';
import { type Db, statement } from '#kernel/read.ts';
import { hasTable } from '#storage/postgres/migrations/index.ts';
import type { Manifest } from './manifest.ts';

const NOTE = statement(
  'restores_note',
  'insert into durable.restores (backup_id, taken_at, position) values ($1, $2, $3)',
);
const FINISH = statement(
  'restores_finish',
  'update durable.restores set finished_at = now() where backup_id = $1',
);
const NOTE_LOSS = statement(
  'restores_note_loss',
  `insert into durable.restores (backup_id, taken_at, position, kind) values ($1, $2, $3, 'lost_end')`,
);
const UNFINISHED_LOSS = statement<AcceptedLoss>(
  'restores_unfinished_loss',
  `select backup_id as id, taken_at as ends_at, position from durable.restores
   where finished_at is null and kind = 'lost_end' limit 1`,
);
const UNFINISHED = statement<{ backup_id: string }>(
  'restores_unfinished',
  'select backup_id from durable.restores where finished_at is null limit 1',
);

/** Committed together with the rows of a backup: later erasures are not repeated yet. */
export async function noteRestore(db: Db, { id, taken_at, position }: Manifest): Promise<void> {
  await db.query(NOTE, [id, taken_at, position]);
}

export async function finishRestore(db: Db, backupId: string): Promise<void> {
  await db.query(FINISH, [backupId]);
}

/** Returns the backup whose restore has begun and not ended. */
export async function unfinishedRestore(db: Db): Promise<string | undefined> {
  if (!(await hasTable(db, 'durable.restores'))) return undefined;
  return (await db.query(UNFINISHED))[0]?.backup_id;
}

/** An accepted loss of the log's end. */
export interface AcceptedLoss {
  /** UUID. */
  id: string;
  /** The time of the last event that the log still has, ISO 8601. */
  ends_at: string;
  /** The position of that event. */
  position: string;
}

export async function noteLoss(db: Db, { id, ends_at, position }: AcceptedLoss): Promise<void> {
  await db.query(NOTE_LOSS, [id, ends_at, position]);
}

/** Returns the accepted loss whose read models are not rebuilt yet, or undefined. */
export const unfinishedLoss = async (db: Db): Promise<AcceptedLoss | undefined> =>
  (await db.query(UNFINISHED_LOSS))[0];

/**
 * Keeps servers from starting before the erasures that the backup, or the shorter log, does not contain are
 * repeated.
 * @throws RookeryError `conflict`
 */
export async function refuseUnfinishedRestore(db: Db): Promise<void> {
  if ((await unfinishedRestore(db)) === undefined) return;
  const lost = await unfinishedLoss(db);
  throw new RookeryError(
    'conflict',
    lost
      ? 'The lost end of the log was accepted, and that was not finished: give "rookery log accept-loss --yes" again'
      : 'A restore of this database was not finished: give the same "rookery restore" again',
  );
}

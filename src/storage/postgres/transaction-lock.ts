import { pause } from '#kernel/pause.ts';
import { type Db, statement } from '#kernel/read.ts';

/** Milliseconds between tries for a lock that another session holds. */
const TRY_EVERY = 200;
const TRY = statement<{ held: boolean }>(
  'transaction_lock_try',
  'select pg_try_advisory_xact_lock($1) as held',
);

/**
 * Waits until the transaction holds one of `LOCKS`, until its end. It polls, because a wait inside Postgres
 * cannot be interrupted by a signal.
 * @throws the reason of the signal
 */
export async function holdLock(transaction: Db, key: number, signal?: AbortSignal): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    if (await tryLock(transaction, key)) return;
    await pause(TRY_EVERY, signal);
  }
}

/** Takes one of `LOCKS` until the end of the transaction, unless another session holds it. @returns whether it has it */
export async function tryLock(transaction: Db, key: number): Promise<boolean> {
  const [row] = await transaction.query(TRY, [key]);
  return row?.held === true;
}

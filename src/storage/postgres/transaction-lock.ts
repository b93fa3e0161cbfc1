import { pause } from '../../kernel/pause.ts';
import { statement, type Db } from '../../kernel/read.ts';

/** Milliseconds between tries for a lock that another session holds. */
const TRY_EVERY = 200;
const TRY = statement('transaction_lock_try', 'select pg_try_advisory_xact_lock($1) as held');

/**
 * Waits until the transaction holds one of `LOCKS`, until its end. It polls, because a wait inside Postgres
 * cannot be interrupted by a signal.
 * @throws the reason of the signal
 */
export async function holdLock(transaction: Db, key: number, signal?: AbortSignal): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    const [row] = await transaction.query<{ held: boolean }>(TRY, [key]);
    if (row?.held === true) return;
    await pause(TRY_EVERY, signal);
  }
}

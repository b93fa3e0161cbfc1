import type { Db } from '#kernel/read.ts';
import type { Database } from '../db.ts';

/**
 * Asserts that Postgres lost no commit since a transaction began: a crash, which loses the last asynchronous ones, also ends its session.
 * @param since the transaction, such as that of the lock of a build
 * @throws the error of the lost connection
 */
export async function assertNothingLost(since: Db): Promise<void> {
  await since.query('select');
}

/** Runs work in a transaction that does not commit when commits were lost since the other one began. */
export const commitUnlessLost = (
  db: Database,
  since: Db,
  work: (transaction: Db) => Promise<unknown>,
): Promise<void> =>
  db.transaction(async (transaction) => {
    // Its session must be there before the check: a crash after it ends this one.
    await work(transaction);
    await assertNothingLost(since);
  });

import { type Db, statement } from '#kernel/read.ts';
import { profileShownTo } from '../visibility/accounts.ts';

const REACHABLE = statement<{ id: string }>(
  'crypto_reachable',
  `select a.id from accounts a where a.id = any($2::bigint[]) and ${profileShownTo('$1')}`,
);

/** Returns the accounts that an account may write to: those that do not block it. */
export async function reachableFrom(
  db: Db,
  accountId: string,
  others: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query(REACHABLE, [accountId, others]);
  return new Set(rows.map(({ id }) => id));
}

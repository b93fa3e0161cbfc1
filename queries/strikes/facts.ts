import type { Id } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';

const OF_ACCOUNT = statement<{ created_at: string }>(
  'strike_of_account',
  'select created_at from account_warnings where id = $1 and account_id = $2',
);

/** Returns the constant part of a strike against an account; `created_at` is ISO 8601. */
export async function strikeOf(
  db: Db,
  strikeId: Id,
  accountId: Id,
): Promise<{ created_at: string } | undefined> {
  const [row] = await db.query(OF_ACCOUNT, [strikeId, accountId]);
  return row;
}

import { type Db, statement } from '#kernel/read.ts';

const COUNT = statement<{ count: number }>(
  'status_pins_count',
  'select count(*)::int as count from status_pins where account_id = $1 and not status_id = any($2::bigint[])',
);

/** Returns the number of posts that an account has pinned, besides these. */
export async function pinnedCount(db: Db, accountId: string, besides: readonly string[]): Promise<number> {
  const [row] = await db.query(COUNT, [accountId, besides]);
  return row?.count ?? 0;
}

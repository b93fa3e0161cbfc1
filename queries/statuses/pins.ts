import { statement, type Db } from '../../src/kernel/read.ts';

const COUNT = statement(
  'status_pins_count',
  'select count(*)::int as count from status_pins where account_id = $1',
);

/** How many posts an account has pinned. */
export async function pinnedCount(db: Db, accountId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(COUNT, [accountId]);
  return row?.count ?? 0;
}

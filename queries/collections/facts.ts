import { statement, type Db } from '../../src/kernel/read.ts';
import { featurableBy } from '../visibility/accounts.ts';

const COUNT = statement(
  'collections_count',
  'select count(*)::int as count from collections where account_id = $1 and not id = any($2::bigint[])',
);
const FEATURABLE = statement(
  'collection_featurable',
  `select a.id from accounts a where a.id = any($2::bigint[]) and ${featurableBy('$1')}`,
);

/** How many collections an account has besides these. */
export async function countCollections(
  db: Db,
  accountId: string,
  besides: readonly string[],
): Promise<number> {
  const [row] = await db.query<{ count: number }>(COUNT, [accountId, besides]);
  return row?.count ?? 0;
}

/** Which of these accounts let themselves be recommended by an account. */
export async function featurableAccounts(
  db: Db,
  accountId: string,
  accountIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(FEATURABLE, [accountId, accountIds]);
  return new Set(rows.map(({ id }) => id));
}

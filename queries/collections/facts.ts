import { statement, type Db } from '../../src/kernel/read.ts';
import { featurableBy } from '../visibility/accounts.ts';

const FACTS = statement(
  'collection_facts',
  `select (select count(*)::int from collections c where c.account_id = $1) as owned,
     array(select a.id::text from accounts a where a.id = any($2) and ${featurableBy('$1')}) as featurable`,
);

/** How many collections an account has, and which of these accounts let themselves be recommended by it. */
export async function collectionFacts(
  db: Db,
  accountId: string,
  accountIds: readonly string[],
): Promise<{ owned: number; featurable: ReadonlySet<string> }> {
  const [row] = await db.query<{ owned: number; featurable: string[] }>(FACTS, [accountId, accountIds]);
  return { owned: row?.owned ?? 0, featurable: new Set(row?.featurable) };
}

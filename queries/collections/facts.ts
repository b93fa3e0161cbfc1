import { type Db, statement } from '#kernel/read.ts';
import { askableBy, deleted, featurableBy } from '../visibility/accounts.ts';

const COUNT = statement<{ count: number }>(
  'collections_count',
  'select count(*)::int as count from collections where account_id = $1 and not id = any($2::bigint[])',
);
const FEATURABLE = statement<{ id: string; agrees: boolean; asked: boolean }>(
  'collection_featurable',
  `select a.id, ${featurableBy('$1')} as agrees, ${askableBy('$1')} as asked from accounts a
   where a.id = any($2::bigint[]) and not ${deleted()}`,
);

/** Returns the number of an account's collections besides these. */
export async function countCollections(
  db: Db,
  accountId: string,
  besides: readonly string[],
): Promise<number> {
  const [row] = await db.query(COUNT, [accountId, besides]);
  return row?.count ?? 0;
}

/** The accounts that another account may feature, and those of them whose servers must approve. */
export interface Featurable {
  /** All known accounts among them, none of which is deleted. */
  known: ReadonlySet<string>;
  featurable: ReadonlySet<string>;
  asked: ReadonlySet<string>;
}

export async function featurableAccounts(
  db: Db,
  accountId: string,
  accountIds: readonly string[],
): Promise<Featurable> {
  const rows = await db.query(FEATURABLE, [accountId, accountIds]);
  const ids = (found: typeof rows): ReadonlySet<string> => new Set(found.map(({ id }) => id));
  return {
    known: ids(rows),
    featurable: ids(rows.filter(({ agrees, asked }) => agrees || asked)),
    asked: ids(rows.filter(({ asked }) => asked)),
  };
}

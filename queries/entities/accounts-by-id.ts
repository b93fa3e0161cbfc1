import type { RequestContext } from '#kernel/context.ts';
import { statement } from '#kernel/read.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from './account.ts';
import { fillOrigins } from './ready-json.ts';

const FIND = statement<AccountRow>(
  'accounts_by_id',
  `select ${ACCOUNT_COLUMNS} from unnest((select $1::bigint[])) as asked (id) join accounts a on a.id = asked.id ${ACCOUNT_STATS}`,
);

/** Returns accounts as JSON texts, by id, for any reader; unknown ones are absent. One statement. For staff only. */
export async function accountsById(
  { db, instance }: Pick<RequestContext, 'db' | 'instance'>,
  accountIds: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(accountIds)].filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  const rows = await db.query(FIND, [ids]);
  return new Map(rows.map((row) => [row.account_id, fillOrigins(accountJson(row), instance)]));
}

import type { RequestContext } from '../../src/kernel/context.ts';
import type { Reply } from '../../src/kernel/endpoint.ts';
import { readPage, type KeysetStatement, type PageQuery } from '../../src/kernel/paging.ts';
import { accountJson, type AccountRow } from './account.ts';
import { readyArray } from './ready-json.ts';

/** Lists of accounts are paged by what put the account there: the id of a follow, of a request. */
type ListedAccount = AccountRow & { cursor: string };

/**
 * Runs a keyset statement over accounts (see `selectPage`) and renders the page. It selects the id that the list is paged by as
 * `cursor`.
 */
export async function listAccounts(
  ctx: RequestContext,
  keyset: KeysetStatement,
  query: PageQuery,
  values: readonly unknown[] = [],
): Promise<Reply> {
  const { rows, page } = await readPage<ListedAccount>(ctx, keyset, query, ({ cursor }) => cursor, values);
  return { text: readyArray(rows.map(accountJson), ctx.instance), page };
}

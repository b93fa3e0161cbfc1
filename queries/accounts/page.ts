import type { RequestContext } from '../../src/kernel/context.ts';
import type { Reply } from '../../src/kernel/endpoint.ts';
import { forPage, linksOf, newestFirst, pageRequest, type KeysetStatement } from '../../src/kernel/paging.ts';
import { accountJson, type AccountRow } from '../entities/account.ts';
import { readyArray } from '../entities/ready-json.ts';

/** Lists of accounts are paged by what put the account there: the id of a follow, of a request. */
type ListedAccount = AccountRow & { cursor: string };

/**
 * Runs a keyset statement over accounts and renders the page. Its first parameters are the reader ($1), `before` ($2),
 * `after` ($3) and the limit ($4); it selects the id that the list is paged by as `cursor`.
 */
export async function listAccounts(
  ctx: RequestContext,
  keyset: KeysetStatement,
  query: Parameters<typeof pageRequest>[0],
  values: readonly unknown[] = [],
): Promise<Reply> {
  const page = pageRequest(query);
  const viewerId = ctx.viewer?.account_id ?? null;
  const found = await ctx.db.query<ListedAccount>(forPage(keyset, page), [
    viewerId,
    page.before,
    page.after,
    page.limit,
    ...values,
  ]);
  const rows = newestFirst(found, page);
  return {
    text: readyArray(rows.map(accountJson), ctx.instance),
    page: linksOf(rows, page, ({ cursor }) => cursor),
  };
}

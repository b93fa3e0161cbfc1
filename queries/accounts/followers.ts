import type { RequestContext } from '#kernel/context.ts';
import { endpoint, type Reply } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { BACK_BY_SINCE_ID, type KeysetStatement, keysetStatement } from '#kernel/paging.ts';
import { statement } from '#kernel/read.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS } from '../entities/account.ts';
import {
  accountsAround,
  type AccountsQuery,
  listAccounts,
  type ListedAccount,
} from '../entities/account-page.ts';
import { collectionsShownTo, letIn, listedFor, listedForOwner } from '../visibility/accounts.ts';

const SHOWN = statement<{ shown: boolean }>(
  'account_collections_shown',
  `select ${collectionsShownTo('$2')} as shown from accounts a where a.id = $1 and ${letIn()}`,
);
/**
 * Lists the accounts at one end of follows for the account at the other end ($5), including accounts that it
 * mutes.
 */
const followsOf = (name: string, listed: string, owner: string): KeysetStatement<ListedAccount> =>
  keysetStatement(
    name,
    (order) => `
      select f.id as cursor, ${ACCOUNT_COLUMNS} from follows f join accounts a on a.id = f.${listed} ${ACCOUNT_STATS}
      where f.${owner} = $5 and f.id < $2 and f.id > $3 
        and (${listedFor('$1')} or ($1::bigint = $5 and ${listedForOwner()}))
      order by f.id ${order} limit $4`,
    BACK_BY_SINCE_ID,
  );
const FOLLOWERS = followsOf('account_followers', 'account_id', 'target_account_id');
const FOLLOWING = followsOf('account_following', 'target_account_id', 'account_id');

export const accountFollowers = endpoint({
  ...accountsAround,
  path: '/api/v1/accounts/:id/followers',
  summary: "View an account's followers",
  handler: (ctx, { params, query }) => listFollows(ctx, FOLLOWERS, params.id, query),
});

export const accountFollowing = endpoint({
  ...accountsAround,
  path: '/api/v1/accounts/:id/following',
  summary: 'View the accounts that an account follows',
  handler: (ctx, { params, query }) => listFollows(ctx, FOLLOWING, params.id, query),
});

/** Replies with an empty list when the account hides its connections. @throws RookeryError `not_found` */
async function listFollows(
  ctx: RequestContext,
  keyset: KeysetStatement<ListedAccount>,
  accountId: string,
  query: AccountsQuery,
): Promise<Reply> {
  const [account] = await ctx.db.query(SHOWN, [accountId, ctx.viewer?.account_id ?? null]);
  if (!account) throw notFound();
  if (!account.shown) return { json: [] };
  return listAccounts(ctx, keyset, query, [accountId]);
}

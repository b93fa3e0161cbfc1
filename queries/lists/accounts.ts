import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams } from '#kernel/input.ts';
import { BACK_BY_SINCE_ID, keysetStatement, pageParameters } from '#kernel/paging.ts';
import { type Db, statement } from '#kernel/read.ts';
import { accountSchema, type List, listSchema } from '#mastodon/schemas/index.ts';
import { requireAccount } from '../accounts/index.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS } from '../entities/account.ts';
import { listAccounts, type ListedAccount } from '../entities/account-page.ts';
import { listedFor } from '../visibility/accounts.ts';
import { ownListOf } from './list.ts';

/** The maximum number of members of a list. */
const ALL = 1_000;

/**
 * An account in a list (`list_accounts m`) is a member while the follow lasts by which the owner added it; a
 * later follow has another id. An accepted request keeps its id as a follow.
 */
export const MEMBERSHIP_JOIN =
  'join follows f on f.account_id = m.owner_id and f.target_account_id = m.account_id and f.id = m.follow_id';

/** Selects visible members: also the owner, and accounts with a pending request. */
const LISTED = `(m.account_id = m.owner_id
  or exists (select from follows f
    where f.account_id = m.owner_id and f.target_account_id = m.account_id and f.id = m.follow_id)
  or exists (select from follow_requests q
    where q.account_id = m.owner_id and q.target_account_id = m.account_id and q.id = m.follow_id))`;

const MEMBERS = keysetStatement<ListedAccount>(
  'list_accounts',
  (order) => `
    select m.account_id as cursor, ${ACCOUNT_COLUMNS}
    from list_accounts m join accounts a on a.id = m.account_id ${ACCOUNT_STATS}
    where m.list_id = $5 and ${LISTED} and m.account_id < $2 and m.account_id > $3 and ${listedFor('$1')}
    order by m.account_id ${order} limit $4`,
  BACK_BY_SINCE_ID,
);
const LISTS_WITH = statement<List>(
  'lists_with_account',
  `select l.id, l.title, l.replies_policy, l.exclusive
   from list_accounts m join lists l on l.id = m.list_id
   where m.owner_id = $1 and m.account_id = $2 and ${LISTED} order by l.id`,
);
/** A request counts as a follow: an accepted account is a member from then on. */
const LAPSED = statement<{ follow_id: Id }>(
  'list_accounts_lapsed',
  `select m.follow_id from list_accounts m where m.list_id = $1 and not ${LISTED}`,
);
const CANDIDATES = statement<{ id: Id; tie: Id | null }>(
  'list_candidates',
  `select a.id, case when a.id = $1 then a.id else coalesce(f.id, q.id) end as tie
   from accounts a
   left join follows f on f.account_id = $1 and f.target_account_id = a.id
   left join follow_requests q on q.account_id = $1 and q.target_account_id = a.id
   where a.id = any($2::bigint[]) and ${listedFor('$1')}`,
);
const TIES = statement<{ id: Id }>(
  'list_follow_or_request',
  `select id from follows where account_id = $1 and target_account_id = $2
   union all select id from follow_requests where account_id = $1 and target_account_id = $2`,
);

/**
 * Returns the follow of an account by another, or the request for one, which keeps its id when it is
 * accepted; undefined for neither.
 */
export async function followOrRequest(db: Db, accountId: Id, targetId: Id): Promise<Id | undefined> {
  return (await db.query(TIES, [accountId, targetId]))[0]?.id;
}

/**
 * Returns, for each of these accounts that exists, the account's follow or follow request, which keeps its id
 * when it is accepted; for the account itself its own id; null without either.
 */
export async function tiesAmong(
  db: Db,
  accountId: Id,
  others: readonly Id[],
): Promise<ReadonlyMap<Id, Id | null>> {
  const rows = await db.query(CANDIDATES, [accountId, others]);
  return new Map(rows.map((row) => [row.id, row.tie]));
}

/**
 * Returns follows that ended, by which accounts left a list. A follow that has ended never returns, so the
 * result stays true.
 */
export async function lapsedFollows(db: Db, listId: Id): Promise<ReadonlySet<Id>> {
  const rows = await db.query(LAPSED, [listId]);
  return new Set(rows.map(({ follow_id }) => follow_id));
}

const USUAL = 40;
const MOST = 80;
/** `limit=0` requests all members without pages. https://docs.joinmastodon.org/methods/lists/#accounts */
const { limit, ...cursors } = pageParameters(USUAL, MOST);
const query = z.object({
  ...cursors,
  limit: z
    .union([z.literal(['0', 0]).transform(() => ALL), limit])
    .describe(
      `How many accounts to return: ${USUAL} by default, at most ${MOST}, and all of them without pages for 0.`,
    ),
});

/** Pages continue by the ids of the accounts, as in Mastodon. */
export const listMembers = endpoint({
  method: 'GET',
  path: '/api/v1/lists/:id/accounts',
  summary: 'View the accounts in a list',
  auth: 'user',
  scopes: ['read:lists'],
  params: idParams,
  query,
  reply: z.array(accountSchema),
  handler: async (ctx, { params, query: { limit: asked, ...place } }) => {
    await ownListOf(ctx.db, ctx.viewer.account_id, params.id);
    if (asked !== ALL) return listAccounts(ctx, MEMBERS, { ...place, limit: asked }, [params.id]);
    const { page: _withoutLinks, ...all } = await listAccounts(ctx, MEMBERS, { limit: ALL }, [params.id]);
    return all;
  },
});

/** Returns the user's own lists only. */
export const listsOfAccount = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id/lists',
  summary: 'View which of your lists an account is in',
  auth: 'user',
  scopes: ['read:lists'],
  params: idParams,
  reply: z.array(listSchema),
  handler: async (ctx, { params }) => {
    await requireAccount(ctx.db, params.id);
    return { json: await ctx.db.query(LISTS_WITH, [ctx.viewer.account_id, params.id]) };
  },
});

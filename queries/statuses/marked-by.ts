import type { RequestContext } from '#kernel/context.ts';
import { endpoint, type Reply } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { BACK_BY_SINCE_ID, type KeysetStatement, keysetStatement } from '#kernel/paging.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS } from '../entities/account.ts';
import {
  accountsAround,
  type AccountsQuery,
  listAccounts,
  type ListedAccount,
} from '../entities/account-page.ts';
import { listedFor } from '../visibility/accounts.ts';
import { ofShownStatus, shownStatus } from './shown.ts';

const FAVOURITED_BY = keysetStatement<ListedAccount>(
  'status_favourited_by',
  (order) => `
    select i.favourite_id as cursor, ${ACCOUNT_COLUMNS}
    from interactions i join accounts a on a.id = i.account_id ${ACCOUNT_STATS}
    where i.status_id = $5 and i.favourite_id < $2 and i.favourite_id > $3 and ${listedFor('$1')}
    order by i.favourite_id ${order} limit $4`,
  BACK_BY_SINCE_ID,
);
/** Public reblogs only. */
const REBLOGGED_BY = keysetStatement<ListedAccount>(
  'status_reblogged_by',
  (order) => `
    select i.reblog_id as cursor, ${ACCOUNT_COLUMNS}
    from interactions i join statuses s on s.id = i.reblog_id
    join accounts a on a.id = i.account_id ${ACCOUNT_STATS}
    where i.status_id = $5 and i.reblog_id < $2 and i.reblog_id > $3
      and s.visibility in ('public', 'unlisted') and ${listedFor('$1')}
    order by i.reblog_id ${order} limit $4`,
  BACK_BY_SINCE_ID,
);

export const favouritedBy = endpoint({
  ...accountsAround,
  ...ofShownStatus,
  path: '/api/v1/statuses/:id/favourited_by',
  summary: 'See who favourited a status',
  handler: (ctx, { params, query }) => list(ctx, FAVOURITED_BY, params.id, query),
});

export const rebloggedBy = endpoint({
  ...accountsAround,
  ...ofShownStatus,
  path: '/api/v1/statuses/:id/reblogged_by',
  summary: 'See who reblogged a status',
  handler: (ctx, { params, query }) => list(ctx, REBLOGGED_BY, params.id, query),
});

async function list(
  ctx: RequestContext,
  keyset: KeysetStatement<ListedAccount>,
  statusId: string,
  query: AccountsQuery,
): Promise<Reply> {
  const id = await shownStatus(ctx.db, ctx.viewer?.account_id ?? null, statusId);
  if (id === undefined) throw notFound();
  return listAccounts(ctx, keyset, query, [id]);
}

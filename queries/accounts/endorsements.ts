import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { BACK_BY_SINCE_ID, keysetStatement } from '#kernel/paging.ts';
import { statement } from '#kernel/read.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS } from '../entities/account.ts';
import { accountsAround, listAccounts, type ListedAccount } from '../entities/account-page.ts';
import { letIn, listedFor, profileShownTo } from '../visibility/accounts.ts';

const SHOWN = statement<{ shown: boolean }>(
  'account_endorsements_shown',
  `select ${profileShownTo('$2')} as shown from accounts a where a.id = $1 and ${letIn()}`,
);
const ENDORSED = keysetStatement<ListedAccount>(
  'account_endorsements',
  (order) => `
    select e.id as cursor, ${ACCOUNT_COLUMNS}
    from endorsements e join accounts a on a.id = e.target_account_id ${ACCOUNT_STATS}
    where e.account_id = $5 and e.id < $2 and e.id > $3 and ${listedFor('$1')}
    order by e.id ${order} limit $4`,
  BACK_BY_SINCE_ID,
);

/** Returns an empty list when the account is suspended or blocks the viewer. */
export const accountEndorsements = endpoint({
  ...accountsAround,
  path: '/api/v1/accounts/:id/endorsements',
  summary: 'View the accounts that an account features on its profile',
  handler: async (ctx, { params, query }) => {
    const viewer = ctx.viewer?.account_id ?? null;
    const [account] = await ctx.db.query(SHOWN, [params.id, viewer]);
    if (!account) throw notFound();
    return account.shown ? listAccounts(ctx, ENDORSED, query, [params.id]) : { json: [] };
  },
});

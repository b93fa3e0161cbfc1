import { z } from 'zod';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { keysetStatement, pageParameters } from '../../src/kernel/paging.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { listAccounts } from '../entities/account-page.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS } from '../entities/account.ts';
import { accountSchema } from '../entities/schemas/index.ts';
import { listedForOwner } from '../visibility/accounts.ts';

const BLOCKED = keysetStatement(
  'blocked_accounts',
  (order) => `
    select b.id as cursor, ${ACCOUNT_COLUMNS}
    from blocks b join accounts a on a.id = b.target_account_id ${ACCOUNT_STATS}
    where b.account_id = $1 and b.id < $2 and b.id > $3 and ${listedForOwner()}
    order by b.id ${order} limit $4`,
);

export const listBlocks = endpoint({
  method: 'GET',
  path: '/api/v1/blocks',
  summary: 'View the accounts that you block',
  auth: 'user',
  scopes: ['read:blocks', 'follow'],
  query: z.object(pageParameters(40, 80)),
  reply: z.array(accountSchema),
  handler: async (ctx, { query }) => {
    await ctx.settle([MAIN]);
    return listAccounts(ctx, BLOCKED, query);
  },
});

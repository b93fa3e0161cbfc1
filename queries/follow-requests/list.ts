import { z } from 'zod';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { keysetStatement, pageParameters } from '../../src/kernel/paging.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { listAccounts } from '../entities/account-page.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS } from '../entities/account.ts';
import { accountSchema } from '../entities/schemas/index.ts';
import { listedForOwner } from '../visibility/accounts.ts';

const REQUESTS = keysetStatement(
  'follow_requests',
  (order) => `
    select r.id as cursor, ${ACCOUNT_COLUMNS}
    from follow_requests r join accounts a on a.id = r.account_id ${ACCOUNT_STATS}
    where r.target_account_id = $1 and r.id < $2 and r.id > $3 and ${listedForOwner()}
    order by r.id ${order} limit $4`,
);

export const listFollowRequests = endpoint({
  method: 'GET',
  path: '/api/v1/follow_requests',
  summary: 'View pending follow requests',
  auth: 'user',
  scopes: ['read:follows', 'follow'],
  query: z.object(pageParameters(40, 80)),
  reply: z.array(accountSchema),
  handler: async (ctx, { query }) => {
    await ctx.settle([MAIN]);
    return listAccounts(ctx, REQUESTS, query);
  },
});

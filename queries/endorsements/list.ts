import { z } from 'zod';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { keysetStatement, pageParameters } from '../../src/kernel/paging.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { listAccounts } from '../entities/account-page.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS } from '../entities/account.ts';
import { accountSchema } from '../entities/schemas/index.ts';
import { listedForOwner } from '../visibility/accounts.ts';

const ENDORSED = keysetStatement(
  'own_endorsements',
  (order) => `
    select e.id as cursor, ${ACCOUNT_COLUMNS}
    from endorsements e join accounts a on a.id = e.target_account_id ${ACCOUNT_STATS}
    where e.account_id = $1 and e.id < $2 and e.id > $3 and ${listedForOwner()}
    order by e.id ${order} limit $4`,
);

export const listEndorsements = endpoint({
  method: 'GET',
  path: '/api/v1/endorsements',
  summary: 'View the accounts that you feature on your profile',
  auth: 'user',
  scopes: ['read:accounts'],
  query: z.object(pageParameters(40, 80)),
  reply: z.array(accountSchema),
  handler: async (ctx, { query }) => {
    await ctx.settle([MAIN]);
    return listAccounts(ctx, ENDORSED, query);
  },
});

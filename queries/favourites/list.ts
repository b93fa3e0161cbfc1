import { z } from 'zod';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { keysetStatement, pageParameters } from '../../src/kernel/paging.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { statusSchema } from '../entities/schemas/index.ts';
import { listStatuses, PAGE_JOINS, pageVisibleTo } from '../statuses/index.ts';

/** Paged by the favourite's own id; posts that are gone or hidden by now are left out. */
const FAVOURITES = keysetStatement(
  'favourites',
  (order) => `
    select s.id, i.favourite_id as cursor from interactions i join statuses s on s.id = i.status_id ${PAGE_JOINS}
    where i.account_id = $1 and i.favourite_id < $2 and i.favourite_id > $3 and ${pageVisibleTo('$1')}
    order by i.favourite_id ${order} limit $4`,
);

export const favourites = endpoint({
  method: 'GET',
  path: '/api/v1/favourites',
  summary: 'View the statuses that one has favourited',
  auth: 'user',
  scopes: ['read:favourites'],
  query: z.object(pageParameters(20, 40)),
  reply: z.array(statusSchema),
  handler: async (ctx, { query }) => {
    await ctx.settle([MAIN]);
    return listStatuses(ctx, FAVOURITES, query);
  },
});

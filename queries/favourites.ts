import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { pageParameters } from '#kernel/paging.ts';
import { statusSchema } from '#mastodon/schemas/index.ts';
import { listStatuses, markedBy } from './statuses/index.ts';

const FAVOURITES = markedBy('favourite');

export const favourites = endpoint({
  method: 'GET',
  path: '/api/v1/favourites',
  summary: 'View the statuses that one has favourited',
  auth: 'user',
  scopes: ['read:favourites'],
  query: z.object(pageParameters(20, 40)),
  reply: z.array(statusSchema),
  handler: async (ctx, { query }) => {
    return listStatuses(ctx, FAVOURITES, query);
  },
});

export const favouriteQueries = [favourites];

import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { pageParameters } from '#kernel/paging.ts';
import { statusSchema } from '#mastodon/schemas/index.ts';
import { listStatuses, markedBy } from './statuses/index.ts';

const BOOKMARKS = markedBy('bookmark');

export const bookmarks = endpoint({
  method: 'GET',
  path: '/api/v1/bookmarks',
  summary: 'View the statuses that one has bookmarked',
  auth: 'user',
  scopes: ['read:bookmarks'],
  query: z.object(pageParameters(20, 40)),
  reply: z.array(statusSchema),
  handler: async (ctx, { query }) => {
    return listStatuses(ctx, BOOKMARKS, query);
  },
});

export const bookmarkQueries = [bookmarks];

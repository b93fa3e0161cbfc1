import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { pageParameters } from '#kernel/paging.ts';
import { accountSchema } from '#mastodon/schemas/index.ts';
import { listAccounts, ownList } from './entities/account-page.ts';

const ENDORSED = ownList('own_endorsements', 'endorsements');

export const listEndorsements = endpoint({
  method: 'GET',
  path: '/api/v1/endorsements',
  summary: 'View the accounts that you feature on your profile',
  auth: 'user',
  scopes: ['read:accounts'],
  query: z.object(pageParameters(40, 80)),
  reply: z.array(accountSchema),
  handler: async (ctx, { query }) => {
    return listAccounts(ctx, ENDORSED, query);
  },
});

export const endorsementQueries = [listEndorsements];

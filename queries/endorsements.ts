import { z } from 'zod';
import { endpoint } from '../src/kernel/endpoint.ts';
import { pageParameters } from '../src/kernel/paging.ts';
import { listAccounts, ownList } from './entities/account-page.ts';
import { accountSchema } from '../src/mastodon/schemas/index.ts';

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

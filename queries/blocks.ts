import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { pageParameters } from '#kernel/paging.ts';
import { accountSchema } from '#mastodon/schemas/index.ts';
import { listAccounts, ownList } from './entities/account-page.ts';

const BLOCKED = ownList('blocked_accounts', 'blocks');

export const listBlocks = endpoint({
  method: 'GET',
  path: '/api/v1/blocks',
  summary: 'View the accounts that you block',
  auth: 'user',
  scopes: ['read:blocks', 'follow'],
  query: z.object(pageParameters(40, 80)),
  reply: z.array(accountSchema),
  handler: async (ctx, { query }) => {
    return listAccounts(ctx, BLOCKED, query);
  },
});

export const blockQueries = [listBlocks];

import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { pageParameters } from '#kernel/paging.ts';
import { accountSchema } from '#mastodon/schemas/index.ts';
import { listAccounts, ownList } from '../entities/account-page.ts';

const REQUESTS = ownList('follow_requests', 'follow_requests', {
  owner: 'target_account_id',
  listed: 'account_id',
});

export const listFollowRequests = endpoint({
  method: 'GET',
  path: '/api/v1/follow_requests',
  summary: 'View pending follow requests',
  auth: 'user',
  scopes: ['read:follows', 'follow'],
  query: z.object(pageParameters(40, 80)),
  reply: z.array(accountSchema),
  handler: async (ctx, { query }) => {
    return listAccounts(ctx, REQUESTS, query);
  },
});

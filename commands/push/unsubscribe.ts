import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';

/** Succeeds without a subscription. https://docs.joinmastodon.org/methods/push/#delete */
export const unsubscribeFromPush = endpoint({
  method: 'DELETE',
  path: '/api/v1/push/subscription',
  summary: 'End push notifications',
  auth: 'user',
  scopes: ['push'],
  reply: z.strictObject({}),
  handler: async (ctx) => {
    await ctx.services.pushSubscriptions.remove(ctx.token.id);
    return { json: {} };
  },
});

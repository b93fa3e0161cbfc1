import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { asyncRefreshSchema } from '#mastodon/schemas/index.ts';

/** Public to clients that know the id. https://docs.joinmastodon.org/methods/async_refreshes/#show */
export const showAsyncRefresh = endpoint({
  method: 'GET',
  path: '/api/v1_alpha/async_refreshes/:id',
  summary: 'See whether something in the background has come to an end',
  auth: 'user',
  scopes: ['read'],
  params: z.object({
    id: z
      .string()
      .regex(/^[\w-]{1,64}$/)
      .describe('The ID from the header `Mastodon-Async-Refresh` of an earlier reply.'),
  }),
  reply: z.strictObject({ async_refresh: asyncRefreshSchema }),
  handler: async (ctx, { params: { id } }) => {
    const async_refresh = await ctx.services.asyncRefreshes.find(id);
    if (!async_refresh) throw notFound();
    return { json: { async_refresh } };
  },
});

export const asyncRefreshQueries = [showAsyncRefresh];

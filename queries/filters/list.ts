import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { filterSchema } from '#mastodon/schemas/index.ts';
import { filtersOfAccount, ownFilterOf } from './read.ts';

/** A user has at most a hundred filters, and apps want all of them. */
export const listFilters = endpoint({
  method: 'GET',
  path: '/api/v2/filters',
  summary: 'View your filters',
  auth: 'user',
  scopes: ['read:filters'],
  reply: z.array(filterSchema),
  handler: async (ctx) => {
    return { json: await filtersOfAccount(ctx.db, ctx.viewer.account_id) };
  },
});

export const showFilter = endpoint({
  method: 'GET',
  path: '/api/v2/filters/:id',
  summary: 'View one of your filters',
  auth: 'user',
  scopes: ['read:filters'],
  params: idParams,
  reply: filterSchema,
  handler: async (ctx, { params }) => {
    return { json: await ownFilterOf(ctx.db, ctx.viewer.account_id, params.id) };
  },
});

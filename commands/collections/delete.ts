import { z } from 'zod';
import { collectionStream } from '#events/collections.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { collection, decideDelete } from './collection.ts';

export const deleteCollection = endpoint({
  method: 'DELETE',
  path: '/api/v1/collections/:id',
  summary: 'Delete a collection',
  auth: 'user',
  scopes: ['write:collections'],
  params: idParams,
  reply: z.strictObject({}),
  handler: async (ctx, { params }) => {
    const act = { by: ctx.viewer.account_id };
    await ctx.execute(collectionStream(params.id), collection, (state) => decideDelete(state, act));
    return { json: {} };
  },
});

import { z } from 'zod';
import { collectionStream } from '#events/collections.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { wrappedCollectionSchema } from '#mastodon/schemas/index.ts';
import { collectionOf } from '#queries/collections/index.ts';
import { collection, decideUpdate } from './collection.ts';
import { checkDetails, detailsInput } from './details.ts';

/** Items have endpoints of their own. */
export const updateCollection = endpoint({
  method: 'PATCH',
  path: '/api/v1/collections/:id',
  summary: 'Change a collection',
  auth: 'user',
  scopes: ['write:collections'],
  params: idParams,
  body: z.object(detailsInput),
  reply: wrappedCollectionSchema,
  handler: async (ctx, { params, body }) => {
    const changes = checkDetails(body);
    const act = { by: ctx.viewer.account_id, now: ctx.now };
    const updateId = ctx.newId();
    await ctx.execute(collectionStream(params.id), collection, (state) =>
      decideUpdate(state, changes, updateId, act),
    );
    return { json: { collection: await collectionOf(ctx, params.id) } };
  },
});

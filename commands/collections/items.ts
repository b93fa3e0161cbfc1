import { z } from 'zod';
import { type CollectionEvent, collectionStream } from '#events/collections.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { invalid } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import { idParam } from '#kernel/input.ts';
import { wrappedCollectionItemSchema } from '#mastodon/schemas/index.ts';
import { featurableAccounts } from '#queries/collections/index.ts';
import { collection, decideAdd, decideRemove, decideRevoke } from './collection.ts';

const itemParams = z.object({
  collection_id: idParam.describe('The ID of the collection.'),
  id: idParam.describe('The ID of the item, which stands for one account in the collection.'),
});

/** Local accounts agree by being discoverable. Remote ones are asked, and pending until they agree. */
export const addToCollection = endpoint({
  method: 'POST',
  path: '/api/v1/collections/:collection_id/items',
  summary: 'Add an account to a collection',
  auth: 'user',
  scopes: ['write:collections'],
  params: itemParams.pick({ collection_id: true }),
  body: z.object({
    account_id: z
      .union([z.string().max(40), z.int()])
      .nullish()
      .describe('The ID of the account to add, which must let itself be added.'),
  }),
  requires: ['account_id'],
  reply: wrappedCollectionItemSchema,
  handler: async (ctx, { params, body }) => {
    const accountId = String(body.account_id ?? '');
    if (accountId === '') throw invalid('`account_id` parameter is missing');
    const by = ctx.viewer.account_id;
    const facts = await featurableAccounts(ctx.db, by, isId(accountId) ? [accountId] : []);
    const item = { id: ctx.newId(), account_id: accountId };
    const { events } = await ctx.execute(collectionStream(params.collection_id), collection, (state) =>
      decideAdd(state, item, { by, now: ctx.now }, facts),
    );
    return { json: { collection_item: presentItem(events) } };
  },
});

export const removeFromCollection = endpoint({
  method: 'DELETE',
  path: '/api/v1/collections/:collection_id/items/:id',
  summary: 'Remove an account from a collection',
  auth: 'user',
  scopes: ['write:collections'],
  params: itemParams,
  reply: z.strictObject({}),
  handler: (ctx, { params }) => takeOut(ctx, params, decideRemove),
});

export const revokeFromCollection = endpoint({
  method: 'POST',
  path: '/api/v1/collections/:collection_id/items/:id/revoke',
  summary: "Take oneself out of somebody's collection, for good",
  auth: 'user',
  scopes: ['write:collections'],
  params: itemParams,
  reply: z.strictObject({}),
  handler: (ctx, { params }) => takeOut(ctx, params, decideRevoke),
});

async function takeOut(
  ctx: UserContext,
  params: z.output<typeof itemParams>,
  decide: typeof decideRemove,
): Promise<{ json: Record<string, never> }> {
  const act = { by: ctx.viewer.account_id };
  await ctx.execute(collectionStream(params.collection_id), collection, (state) =>
    decide(state, params.id, act),
  );
  return { json: {} };
}

function presentItem(events: readonly CollectionEvent[]) {
  const [added] = events;
  if (added?.type !== 'CollectionItemAdded') throw new Error('Nothing was added');
  const { id, account_id, created_at, state = 'accepted' } = added.data;
  return { id, account_id, state, created_at };
}

import { z } from 'zod';
import { collectionFacts, collectionOf } from '../../queries/collections/index.ts';
import { wrappedCollectionSchema } from '../../queries/entities/schemas/index.ts';
import { collectionStream } from '../../src/events/collections.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { formStringArray } from '../../src/kernel/input.ts';
import { isId } from '../../src/kernel/ids.ts';
import { invalid } from '../../src/kernel/errors.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { collection, decideCreate } from './collection.ts';
import { checkNewDetails, detailsInput } from './details.ts';

/** How many an account has is asked of the read model: two requests at the same moment may make one too many. */
export const createCollection = endpoint({
  method: 'POST',
  path: '/api/v1/collections',
  summary: 'Create a collection of accounts',
  auth: 'user',
  scopes: ['write:collections'],
  body: z.object({ ...detailsInput, account_ids: formStringArray(100, 40).default([]) }),
  reply: wrappedCollectionSchema,
  handler: async (ctx, { body }) => {
    const details = checkNewDetails(body);
    const accountIds = [...new Set(body.account_ids)];
    if (!accountIds.every(isId)) throw invalid('This account cannot be added to collections');
    const by = ctx.viewer.account_id;
    await ctx.settle([MAIN]);
    const facts = await collectionFacts(ctx.db, by, accountIds);
    const id = ctx.newId();
    const command = {
      id,
      origin: ctx.instance.origin,
      details,
      items: accountIds.map((account_id) => ({ id: ctx.newId(), account_id })),
    };
    await ctx.execute(
      collectionStream(id),
      collection,
      (state) => decideCreate(state, command, { by, now: ctx.now }, facts),
      { isNew: true },
    );
    await ctx.settle([MAIN]);
    return { json: { collection: await collectionOf(ctx, id) } };
  },
});

import { z } from 'zod';
import { collectionStream } from '#events/collections.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import { formStringArray } from '#kernel/input.ts';
import type { Db } from '#kernel/read.ts';
import { wrappedCollectionSchema } from '#mastodon/schemas/index.ts';
import { collectionOf, countCollections, featurableAccounts } from '#queries/collections/index.ts';
import { countQuota, executeWithinQuota, type Quota } from '../quotas/index.ts';
import { checkCollectionLimit, type Collection, collection, decideCreate } from './collection.ts';
import { checkNewDetails, detailsInput } from './details.ts';

export const createCollection = endpoint({
  method: 'POST',
  path: '/api/v1/collections',
  summary: 'Create a collection of accounts',
  auth: 'user',
  scopes: ['write:collections'],
  body: z.object({
    ...detailsInput,
    account_ids: formStringArray(100, 40)
      .default([])
      .describe('IDs of the accounts to begin with, in their order.'),
  }),
  requires: ['name'],
  errors: [404],
  reply: wrappedCollectionSchema,
  handler: async (ctx, { body }) => {
    const details = checkNewDetails(body);
    const accountIds = [...new Set(body.account_ids)];
    if (!accountIds.every(isId)) throw notFound();
    const by = ctx.viewer.account_id;
    const facts = await featurableAccounts(ctx.db, by, accountIds);
    const id = ctx.newId();
    const command = {
      id,
      origin: ctx.instance.origin,
      details,
      items: accountIds.map((account_id) => ({ id: ctx.newId(), account_id })),
    };
    await executeWithinQuota(ctx, {
      stream: collectionStream(id),
      decider: collection,
      decide: (state) => decideCreate(state, command, { by, now: ctx.now }, facts),
      isNew: true,
      quota: collectionQuota(ctx.db, by),
    });
    return { json: { collection: await collectionOf(ctx, id) } };
  },
});

const collectionQuota = (db: Db, ownerId: string): Quota<Collection, number> =>
  countQuota({
    name: 'collections',
    ownerId,
    added: (_before, after) => after?.id,
    besides: (ids) => countCollections(db, ownerId, ids),
    check: checkCollectionLimit,
  });

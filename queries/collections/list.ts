import { z } from 'zod';
import type { RequestContext, UserContext } from '#kernel/context.ts';
import { endpoint, type Reply } from '#kernel/endpoint.ts';
import { forbidden } from '#kernel/errors.ts';
import { idParam } from '#kernel/input.ts';
import { type OffsetPage, offsetParameters } from '#kernel/offset-paging.ts';
import { type Statement, statement } from '#kernel/read.ts';
import { collectionsSchema } from '#mastodon/schemas/index.ts';
import { requireAccount } from '../accounts/index.ts';
import { COLLECTION_COLUMNS, type CollectionRow, presentCollection } from '../entities/collection.ts';
import { profileShownTo } from '../visibility/accounts.ts';

/**
 * Unlisted collections are for their owner. One more row than requested tells whether there is another page.
 */
const OF_ACCOUNT = statement<CollectionRow>(
  'collections_of_account',
  `select ${COLLECTION_COLUMNS} from collections c join accounts a on a.id = c.account_id
   where c.account_id = $2 and (c.discoverable or c.account_id is not distinct from $1::bigint)
     and ${profileShownTo('$1')}
   order by c.id desc limit $3 + 1 offset $4`,
);
/** Includes unlisted collections, because their members can leave them. */
const WITH_ACCOUNT = statement<CollectionRow>(
  'collections_with_account',
  `select ${COLLECTION_COLUMNS} from collection_items mine
   join collections c on c.id = mine.collection_id join accounts a on a.id = c.account_id and not a.suspended
   where mine.account_id = $2
   order by mine.collection_id desc limit $3 + 1 offset $4`,
);

const params = z.object({ account_id: idParam.describe('The ID of the account.') });
const query = z.object(offsetParameters(40, 80));
const ofAccount = {
  method: 'GET',
  summary: 'View the collections of an account',
  auth: 'optional',
  scopes: ['read:collections'],
  params,
  query,
  reply: collectionsSchema,
} as const;
const withAccount = {
  method: 'GET',
  summary: 'View the collections that the own account is in',
  auth: 'user',
  scopes: ['read:collections'],
  params,
  query,
  reply: collectionsSchema,
} as const;

/** Mastodon's routes contain `accounts` and its documentation does not: both are served. */
export const accountCollections = endpoint({
  ...ofAccount,
  path: '/api/v1/accounts/:account_id/collections',
  handler: (ctx, input) => collectionsOf(ctx, input.params.account_id, input.query),
});
export const accountCollectionsAsDocumented = endpoint({
  ...ofAccount,
  path: '/api/v1/:account_id/collections',
  handler: (ctx, input) => collectionsOf(ctx, input.params.account_id, input.query),
});
export const accountInCollections = endpoint({
  ...withAccount,
  path: '/api/v1/accounts/:account_id/in_collections',
  handler: (ctx, input) => collectionsWith(ctx, input.params.account_id, input.query),
});
export const accountInCollectionsAsDocumented = endpoint({
  ...withAccount,
  path: '/api/v1/:account_id/in_collections',
  handler: (ctx, input) => collectionsWith(ctx, input.params.account_id, input.query),
});

async function collectionsOf(ctx: RequestContext, accountId: string, page: OffsetPage): Promise<Reply> {
  await requireAccount(ctx.db, accountId);
  return list(ctx, OF_ACCOUNT, accountId, page);
}

async function collectionsWith(ctx: UserContext, accountId: string, page: OffsetPage): Promise<Reply> {
  await requireAccount(ctx.db, accountId);
  if (accountId !== ctx.viewer.account_id) throw forbidden();
  return list(ctx, WITH_ACCOUNT, accountId, page);
}

async function list(
  { db, viewer, instance }: RequestContext,
  from: Statement<CollectionRow>,
  accountId: string,
  page: OffsetPage,
): Promise<Reply> {
  const values = [viewer?.account_id ?? null, accountId, page.limit, page.offset];
  const found = await db.query(from, values);
  const shown = found.slice(0, page.limit);
  const { limit, offset } = page;
  return {
    json: { collections: shown.map((row) => presentCollection(row, instance)) },
    page: {
      ...(found.length > limit ? { next: { offset: String(offset + limit) } } : {}),
      ...(offset > 0 ? { prev: { offset: String(Math.max(0, offset - limit)) } } : {}),
    },
  };
}

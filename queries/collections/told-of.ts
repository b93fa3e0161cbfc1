import type { RequestContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { type Statement, statement } from '#kernel/read.ts';
import type { Collection } from '#mastodon/schemas/index.ts';
import { COLLECTION_COLUMNS, type CollectionRow, presentCollection } from '../entities/collection.ts';

const OF_ITEMS = statement<CollectionRow & { told_id: Id }>(
  'collections_of_items',
  `select mine.id as told_id, ${COLLECTION_COLUMNS}
   from collection_items mine join collections c on c.id = mine.collection_id
   where mine.account_id = $1 and mine.id = any($2::bigint[])`,
);

const OF_UPDATES = statement<CollectionRow & { told_id: Id }>(
  'collections_of_updates',
  `select u.id as told_id, ${COLLECTION_COLUMNS}
   from notification_collection_updates u join collections c on c.id = u.collection_id
   where u.id = any($2::bigint[])
     and exists (select from collection_items mine where mine.collection_id = c.id and mine.account_id = $1)`,
);

type Context = Pick<RequestContext, 'db' | 'viewer' | 'instance'>;

/**
 * Returns the collections that the viewer was added to, by the ids of their items; none for deleted items.
 */
export const collectionsOfItems = (ctx: Context, ids: readonly Id[]): Promise<ReadonlyMap<Id, Collection>> =>
  toldOf(ctx, OF_ITEMS, ids);

/** Returns changed collections with the reader as a member, by the ids of the notifications. */
export const collectionsOfUpdates = (
  ctx: Context,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, Collection>> => toldOf(ctx, OF_UPDATES, ids);

async function toldOf(
  { db, viewer, instance }: Context,
  found: Statement<CollectionRow & { told_id: Id }>,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, Collection>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query(found, [viewer?.account_id ?? null, ids]);
  return new Map(rows.map(({ told_id, ...row }) => [told_id, presentCollection(row, instance)] as const));
}

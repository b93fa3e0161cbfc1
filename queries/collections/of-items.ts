import type { RequestContext } from '../../src/kernel/context.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { statement } from '../../src/kernel/read.ts';
import type { Collection } from '../entities/schemas/index.ts';
import { COLLECTION_COLUMNS, presentCollection, type CollectionRow } from './collection.ts';

const OF_ITEMS = statement(
  'collections_of_items',
  `select mine.id as item_id, ${COLLECTION_COLUMNS}
   from collection_items mine join collections c on c.id = mine.collection_id
   where mine.account_id = $1 and mine.id = any($2::bigint[])`,
);

/** The collections that the reader was put into, by the ids of these items of his; where he is no longer, there is none. */
export async function collectionsOfItems(
  { db, viewer, instance }: Pick<RequestContext, 'db' | 'viewer' | 'instance'>,
  itemIds: readonly Id[],
): Promise<ReadonlyMap<Id, Collection>> {
  if (itemIds.length === 0) return new Map();
  const rows = await db.query<CollectionRow & { item_id: Id }>(OF_ITEMS, [
    viewer?.account_id ?? null,
    itemIds,
  ]);
  return new Map(rows.map(({ item_id, ...row }) => [item_id, presentCollection(row, instance)] as const));
}

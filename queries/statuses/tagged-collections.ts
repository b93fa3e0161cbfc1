import type { RequestContext } from '#kernel/context.ts';
import { statement } from '#kernel/read.ts';
import { COLLECTION_COLUMNS, type CollectionRow, presentCollection } from '../entities/collection.ts';
import type { StatusWithInner } from '../entities/status.ts';
import { profileShownTo } from '../visibility/accounts.ts';

const FIND = statement<CollectionRow>(
  'collections_of_statuses',
  `select ${COLLECTION_COLUMNS} from collections c join accounts a on a.id = c.account_id
   where c.id = any($2::bigint[]) and ${profileShownTo('$1')}`,
);

const NONE: ReadonlyMap<string, string> = new Map();

/**
 * Returns the collections that statuses link to and that the viewer may see, as JSON by id. One statement if
 * there are any.
 */
export async function collectionsLinkedBy(
  { db, viewer, instance }: RequestContext,
  found: readonly (StatusWithInner | undefined)[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set<string>();
  for (const each of found) {
    for (const status of [each?.status, each?.reblog, each?.quoted]) {
      for (const id of status?.shared.collection_ids ?? []) ids.add(id);
    }
  }
  if (ids.size === 0) return NONE;
  const rows = await db.query(FIND, [viewer?.account_id ?? null, [...ids]]);
  return new Map(rows.map((row) => [row.id, JSON.stringify(presentCollection(row, instance))]));
}

import type { RequestContext } from '#kernel/context.ts';
import { notFound } from '#kernel/errors.ts';
import { statement } from '#kernel/read.ts';
import type { Collection } from '#mastodon/schemas/index.ts';
import { COLLECTION_COLUMNS, type CollectionRow, presentCollection } from '../entities/collection.ts';
import { profileShownTo } from '../visibility/accounts.ts';

const FIND = statement<CollectionRow>(
  'collection_find',
  `select ${COLLECTION_COLUMNS} from collections c join accounts a on a.id = c.account_id
   where c.id = $2 and ${profileShownTo('$1')}`,
);

type Reading = Pick<RequestContext, 'db' | 'viewer' | 'instance'>;

/**
 * Returns a collection, also an unlisted one, as the viewer sees it; undefined when the viewer may not see
 * it.
 */
export async function findCollection(
  { db, viewer, instance }: Reading,
  id: string,
): Promise<Collection | undefined> {
  const [row] = await db.query(FIND, [viewer?.account_id ?? null, id]);
  return row && presentCollection(row, instance);
}

/** Like `findCollection`. @throws RookeryError `not_found` */
export async function collectionOf(ctx: Reading, id: string): Promise<Collection> {
  const found = await findCollection(ctx, id);
  if (!found) throw notFound();
  return found;
}

import type { RequestContext } from '../../src/kernel/context.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { statement } from '../../src/kernel/read.ts';
import { COLLECTION_COLUMNS, presentCollection, type CollectionRow } from '../entities/collection.ts';
import type { Collection } from '../entities/schemas/index.ts';
import { profileShownTo } from '../visibility/accounts.ts';

const FIND = statement(
  'collection_find',
  `select ${COLLECTION_COLUMNS} from collections c join accounts a on a.id = c.account_id
   where c.id = $2 and ${profileShownTo('$1')}`,
);

/** A collection as a reader sees it: unlisted ones too. @throws RookeryError `not_found` */
export async function collectionOf(
  { db, viewer, instance }: Pick<RequestContext, 'db' | 'viewer' | 'instance'>,
  id: string,
): Promise<Collection> {
  const [row] = await db.query<CollectionRow>(FIND, [viewer?.account_id ?? null, id]);
  if (!row) throw notFound();
  return presentCollection(row, instance);
}

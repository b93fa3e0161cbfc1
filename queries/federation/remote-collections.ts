import { type Db, statement } from '#kernel/read.ts';
import type { RowOf } from '#kernel/table/index.ts';
import type { ITEMS as ITEMS_TABLE } from '#projections/collections/items.ts';
import { featurableBy } from '../visibility/accounts.ts';

const OF_URI = statement<{ id: string }>(
  'federation_collection_of_uri',
  'select id from collections where uri = $1 and account_id = $2 and not local limit 1',
);
const COUNT = statement<{ count: number }>(
  'federation_remote_collections_count',
  'select count(*)::int as count from collections where account_id = $1 and not local',
);
const NAMED = statement<NamedCollection>(
  'federation_named_collection',
  `select c.uri, c.local, c.account_id, a.uri as owner_uri from collections c join accounts a on a.id = c.account_id
   where c.id = $1`,
);
const ITEM_COLUMNS = `i.id, i.collection_id, i.account_id, i.accepted, i.authorization_uri, ia.uri as account_uri,
  c.uri as collection_uri, c.local, c.account_id as owner_id, a.uri as owner_uri`;
const ITEM_JOINS = `join collections c on c.id = i.collection_id join accounts a on a.id = c.account_id
  join accounts ia on ia.id = i.account_id`;
const ITEM = statement<NamedItem>(
  'federation_named_collection_item',
  `select ${ITEM_COLUMNS} from collection_items i ${ITEM_JOINS} where i.account_id = $2 and i.id = $1`,
);
const BY_AUTHORIZATION = statement<NamedItem>(
  'federation_collection_items_by_authorization',
  `select ${ITEM_COLUMNS} from collection_items i ${ITEM_JOINS}
   where i.authorization_uri = $1 and i.account_id = $2 order by i.id limit 50`,
);
const ITEMS = statement<{ uri: string | null; accepted: boolean }>(
  'federation_items_of_collection',
  'select uri, accepted from collection_items where collection_id = $1 limit 200',
);
const MAY_FEATURE = statement<{ may: boolean }>(
  'federation_may_feature',
  `select exists (select from accounts a where a.id = $2 and a.domain is null and ${featurableBy('$1')}) as may`,
);

/** Returns the id of a remote account's collection. */
export const collectionOfUri = async (db: Db, uri: string, ownerId: string): Promise<string | undefined> =>
  (await db.query(OF_URI, [uri, ownerId]))[0]?.id;

/** Returns the number of known collections of a remote account. */
export const countRemoteCollections = async (db: Db, ownerId: string): Promise<number> =>
  (await db.query(COUNT, [ownerId]))[0]?.count ?? 0;

/** Returns true if an account of any server may feature a local account. */
export const mayFeature = async (db: Db, ownerId: string, accountId: string): Promise<boolean> =>
  (await db.query(MAY_FEATURE, [ownerId, accountId]))[0]?.may === true;

/** A collection of any server, as activities reference it. */
export interface NamedCollection {
  uri: string;
  local: boolean;
  account_id: string;
  owner_uri: string;
}
export const namedCollection = async (db: Db, id: string): Promise<NamedCollection | undefined> =>
  (await db.query(NAMED, [id]))[0];

/**
 * An account that is in a collection of any server, or was asked to be. `authorization_uri` is that of a remote account's
 * approval, verified or claimed.
 */
export interface NamedItem extends Pick<
  RowOf<typeof ITEMS_TABLE>,
  'id' | 'collection_id' | 'account_id' | 'accepted' | 'authorization_uri'
> {
  collection_uri: string;
  /** Whether the collection is of this server. */
  local: boolean;
  owner_id: string;
  owner_uri: string;
  account_uri: string;
}
export const collectionItem = async (db: Db, id: string, accountId: string): Promise<NamedItem | undefined> =>
  (await db.query(ITEM, [id, accountId]))[0];

/** Returns the known items of a collection: their URIs, and whether their accounts approved. */
export const itemsOfCollection = (db: Db, id: string): Promise<{ uri: string | null; accepted: boolean }[]> =>
  db.query(ITEMS, [id]);

/** Returns at most 50 items of an account that its authorization covers. */
export const itemsByAuthorization = (db: Db, uri: string, accountId: string): Promise<NamedItem[]> =>
  db.query(BY_AUTHORIZATION, [uri, accountId]);

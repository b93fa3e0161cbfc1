import { type Db, statement } from '#kernel/read.ts';
import type { RowOf } from '#kernel/table/index.ts';
import type { ITEMS } from '#projections/collections/items.ts';
import type { CollectionRow } from '../entities/collection.ts';
import { collectionsServedTo, knownToServers } from '../visibility/federation.ts';
import type { Signer } from './posts.ts';

/* Collections of local accounts, as other servers see them. */

/** `authorization_uri` is that of a remote account's approval; null for a local account. */
export interface LocalCollectionItem extends Pick<
  RowOf<typeof ITEMS>,
  'id' | 'account_id' | 'authorization_uri' | 'created_at'
> {
  account_uri: string;
  /** It was added when the collection was created. */
  initial: boolean;
}
/** Times are in whole seconds. */
export interface LocalCollection extends Omit<CollectionRow, 'local' | 'item_count' | 'items'> {
  owner_uri: string;
  /** Accounts that approved, in the order in which they were added. */
  items: LocalCollectionItem[];
}

const SECONDS = `'YYYY-MM-DD"T"HH24:MI:SS"Z"'`;
const ITEM = `i.id, i.account_id, ia.uri as account_uri, i.authorization_uri, i.created_at,
  i.created_at::timestamptz = c.created_at as initial`;
const IS_SHOWN = `i.accepted and not ia.suspended and (ia.domain is not null or ${knownToServers('ia')})`;
const COLUMNS = `c.id, c.account_id, a.uri as owner_uri, c.uri, c.url, c.name, c.description, c.language, c.sensitive,
  c.discoverable, c.tag, c.tag_name,
  to_char(c.created_at at time zone 'UTC', ${SECONDS}) as created_at,
  to_char(c.updated_at at time zone 'UTC', ${SECONDS}) as updated_at,
  (select coalesce(json_agg(json_build_object('id', n.id::text, 'account_id', n.account_id::text,
      'account_uri', n.account_uri, 'authorization_uri', n.authorization_uri, 'created_at', n.created_at, 'initial', n.initial) order by n.id), '[]')
   from (select ${ITEM} from collection_items i join accounts ia on ia.id = i.account_id
     where i.collection_id = c.id and ${IS_SHOWN}) n) as items`;
const SERVED = collectionsServedTo({ host: '$2::text', uri: '$3::text' });

const FIND = statement<LocalCollection>(
  'federation_collection',
  `select ${COLUMNS} from collections c join accounts a on a.id = c.account_id where c.id = $1 and ${SERVED}`,
);
const COUNT = statement<{ total: number }>(
  'federation_collections_count',
  `select (select count(*)::int from collections c where c.account_id = a.id and c.discoverable) as total
   from accounts a where a.id = $1 and ${SERVED}`,
);
const LIST = statement<LocalCollection>(
  'federation_collections',
  `select ${COLUMNS} from collections c join accounts a on a.id = c.account_id
   where c.account_id = $1 and c.discoverable order by c.id desc limit $2 offset $3`,
);
const FIND_ITEM = statement<LocalCollectionItem>(
  'federation_collection_item',
  `select ${ITEM} from collections c join accounts a on a.id = c.account_id
   join collection_items i on i.collection_id = c.id join accounts ia on ia.id = i.account_id
   where c.account_id = $1 and i.id = $4 and ${IS_SHOWN} and ${SERVED}`,
);
/** Selects a local account in a collection of any server. */
const AUTHORIZATION = statement<{ collection_uri: string; account_uri: string }>(
  'federation_feature_authorization',
  `select c.uri as collection_uri, a.uri as account_uri from collection_items i
   join collections c on c.id = i.collection_id join accounts a on a.id = i.account_id
   where i.account_id = $1 and i.id = $4 and i.accepted and ${SERVED}`,
);

const signerValues = (signer: Signer | undefined) => [signer?.host ?? null, signer?.uri ?? null];

/** Returns a collection of a local account, listed or not, if `signer` may fetch it. */
export const localCollection = async (
  db: Db,
  id: string,
  signer?: Signer,
): Promise<LocalCollection | undefined> => (await db.query(FIND, [id, ...signerValues(signer)]))[0];

/** Returns the number of listed collections of a local account; undefined when `signer` may not know it. */
export const countLocalCollections = async (
  db: Db,
  ownerId: string,
  signer: Signer | undefined,
): Promise<number | undefined> => (await db.query(COUNT, [ownerId, ...signerValues(signer)]))[0]?.total;

/** Returns listed collections of an account, newest first. */
export const localCollections = (
  db: Db,
  ownerId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<LocalCollection[]> => db.query(LIST, [ownerId, limit, offset]);

/** Returns an item of a collection of a local account, if `signer` may fetch it. */
export const localCollectionItem = async (
  db: Db,
  ownerId: string,
  id: string,
  signer?: Signer,
): Promise<LocalCollectionItem | undefined> =>
  (await db.query(FIND_ITEM, [ownerId, ...signerValues(signer), id]))[0];

/** Returns the collection item that a local account approved; undefined when it did not, or revoked it. */
export const featureAuthorization = async (
  db: Db,
  accountId: string,
  itemId: string,
  signer: Signer | undefined,
): Promise<{ collection_uri: string; account_uri: string } | undefined> =>
  (await db.query(AUTHORIZATION, [accountId, ...signerValues(signer), itemId]))[0];

import {
  CollectionItemAccepted,
  CollectionItemAdded,
  CollectionItemNamed,
  CollectionItemProposed,
  CollectionItemRejected,
  CollectionItemRemoved,
  CollectionItemRevoked,
} from '#events/collections.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import type { Db } from '#kernel/read.ts';
import { batch, bigint, boolean, table, text } from '#kernel/table/index.ts';

export const ITEMS = table(
  'collection_items',
  {
    id: bigint,
    collection_id: bigint,
    account_id: bigint,
    created_at: text,
    accepted: boolean,
    uri: text.orNull,
    authorization_uri: text.orNull,
  },
  ['collection_id', 'account_id'],
);
const CHANGE = batch(
  'collection_items_change',
  {
    collection_id: bigint,
    account_id: bigint,
    accepted: boolean,
    uri: text.orNull,
    authorization_uri: text.orNull,
  },
  (rows) => `update collection_items i set accepted = i.accepted or n.accepted, uri = coalesce(n.uri, i.uri),
     authorization_uri = coalesce(n.authorization_uri, i.authorization_uri)
   from ${rows} where i.collection_id = n.collection_id and i.account_id = n.account_id`,
);
const REMOVE = ITEMS.remove();

interface Item {
  collection_id: string;
  account_id: string;
  uri?: string | undefined;
  authorization?: string | undefined;
}

const keys = ({ data }: { data: Item }): string[] => [`item ${data.collection_id} ${data.account_id}`];

/** The accounts in collections, and those that have not approved yet. */
export const itemHandlers: readonly BoundHandler[] = [
  on(CollectionItemAdded, {
    keys,
    apply: ITEMS.insert().each(({ data }) => ({
      ...data,
      accepted: data.state !== 'pending',
      authorization_uri: data.authorization,
    })),
  }),
  on(CollectionItemProposed, { keys, apply: (events, db) => change(events, db) }),
  on(CollectionItemNamed, { keys, apply: (events, db) => change(events, db) }),
  on(CollectionItemAccepted, { keys, apply: (events, db) => change(events, db, true) }),
  on(CollectionItemRejected, { keys, apply: REMOVE.each(({ data }) => data) }),
  on(CollectionItemRemoved, { keys, apply: REMOVE.each(({ data }) => data) }),
  on(CollectionItemRevoked, { keys, apply: REMOVE.each(({ data }) => data) }),
];

/** The last of several changes of an item counts. */
async function change(events: readonly { data: Item }[], db: Db, accepted = false): Promise<void> {
  const last = new Map(events.map((event) => [keys(event)[0], event.data]));
  await CHANGE(
    [...last.values()].map(({ authorization: authorization_uri, ...item }) => ({
      ...item,
      authorization_uri,
      accepted,
    })),
    db,
  );
}

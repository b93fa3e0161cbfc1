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
import { type Db, statement } from '#kernel/read.ts';

const ADD = statement(
  'collection_items_insert',
  `insert into collection_items (id, collection_id, account_id, created_at, accepted, uri, authorization_uri)
   select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bool[], $6::text[], $7::text[])`,
);
const CHANGE = statement(
  'collection_items_change',
  `update collection_items i set accepted = i.accepted or n.accepted, uri = coalesce(n.uri, i.uri),
     authorization_uri = coalesce(n.authorization_uri, i.authorization_uri)
   from unnest($1::bigint[], $2::bigint[], $3::bool[], $4::text[], $5::text[])
     as n (collection_id, account_id, accepted, uri, authorization_uri)
   where i.collection_id = n.collection_id and i.account_id = n.account_id`,
);
const REMOVE = statement(
  'collection_items_delete',
  `delete from collection_items i using unnest($1::bigint[], $2::bigint[]) as n (collection_id, account_id)
   where i.collection_id = n.collection_id and i.account_id = n.account_id`,
);

/** The accounts in collections, and those that have not approved yet. */
export const itemHandlers: readonly BoundHandler[] = [
  on(CollectionItemAdded, {
    keys: keyOfItem,
    apply: async (events, db) => {
      const added = events.map(({ data }) => data);
      await db.query(ADD, [
        added.map(({ id }) => id),
        added.map(({ collection_id }) => collection_id),
        added.map(({ account_id }) => account_id),
        added.map(({ created_at }) => created_at),
        added.map(({ state }) => state !== 'pending'),
        added.map(({ uri }) => uri ?? null),
        added.map(({ authorization }) => authorization ?? null),
      ]);
    },
  }),
  on(CollectionItemProposed, { keys: keyOfItem, apply: (events, db) => change(events, db) }),
  on(CollectionItemNamed, { keys: keyOfItem, apply: (events, db) => change(events, db) }),
  on(CollectionItemAccepted, {
    keys: keyOfItem,
    apply: (events, db) => change(events, db, true),
  }),
  on(CollectionItemRejected, { keys: keyOfItem, apply: remove }),
  on(CollectionItemRemoved, { keys: keyOfItem, apply: remove }),
  on(CollectionItemRevoked, { keys: keyOfItem, apply: remove }),
];

interface ItemEvent {
  data: {
    collection_id: string;
    account_id: string;
    uri?: string | undefined;
    authorization?: string | undefined;
  };
}

function keyOfItem({ data }: ItemEvent): string[] {
  return [`item ${data.collection_id} ${data.account_id}`];
}

/** The last of several changes of an item counts. */
async function change(events: readonly ItemEvent[], db: Db, accepted = false): Promise<void> {
  const last = [...new Map(events.map((event) => [keyOfItem(event)[0], event.data])).values()];
  await db.query(CHANGE, [
    last.map(({ collection_id }) => collection_id),
    last.map(({ account_id }) => account_id),
    last.map(() => accepted),
    last.map(({ uri }) => uri ?? null),
    last.map(({ authorization }) => authorization ?? null),
  ]);
}

async function remove(events: readonly ItemEvent[], db: Db): Promise<void> {
  await db.query(REMOVE, [
    events.map(({ data }) => data.collection_id),
    events.map(({ data }) => data.account_id),
  ]);
}

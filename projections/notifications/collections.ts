import {
  CollectionDeleted,
  CollectionItemAdded,
  CollectionItemRemoved,
  CollectionItemRevoked,
} from '../../src/events/collections.ts';
import { columns, on, type BoundHandler } from '../../src/kernel/projection.ts';
import { statement, type Db, type Statement } from '../../src/kernel/read.ts';
import { arrive } from './arrivals.ts';

const REMEMBER = statement(
  'notification_collections_insert',
  `insert into notification_collections (collection_id, account_id, id)
   select * from unnest($1::bigint[], $2::bigint[], $3::bigint[])`,
);
/** Who is in a collection no longer is not told of it any more. */
const forget = (name: string, gone: string): Statement =>
  statement(
    name,
    `with gone as (delete from notification_collections c ${gone} returning c.account_id, c.id)
     delete from notifications t using gone where t.account_id = gone.account_id and t.id = gone.id`,
  );
const FORGET_ITEMS = forget(
  'notification_collections_forget',
  `using unnest($1::bigint[], $2::bigint[]) as n (collection_id, account_id)
   where c.collection_id = n.collection_id and c.account_id = n.account_id`,
);
const FORGET_ALL = forget('notification_collections_forget_all', 'where c.collection_id = any($1::bigint[])');

interface Item {
  id: string;
  collection_id: string;
  owner_id: string;
  account_id: string;
}

/** What happens to one account in one collection depends on nothing else. */
const keys = ({ data }: { data: Item }): string[] => [
  data.id,
  data.collection_id,
  data.owner_id,
  data.account_id,
];

/** Whom somebody put into a collection; the notification has the id of the item. */
export const collectionHandlers: readonly BoundHandler[] = [
  on(CollectionItemAdded, {
    keys,
    additive: true,
    apply: async (events, db) => {
      await Promise.all([
        db.query(REMEMBER, columns(events, 'collection_id', 'account_id', 'id')),
        arrive(
          events.map(({ data, metadata, position }) => ({
            account_id: data.account_id,
            id: data.id,
            type: 'added_to_collection',
            from_account_id: data.owner_id,
            status_id: null,
            created_at: metadata.time,
            private_thread: null,
            position,
          })),
          db,
        ),
      ]);
    },
  }),
  on(CollectionItemRemoved, { keys, apply: forgetItems }),
  on(CollectionItemRevoked, { keys, apply: forgetItems }),
  // A barrier: the event does not say who was in it.
  on(CollectionDeleted, {
    apply: async (events, db) => {
      await db.query(FORGET_ALL, columns(events, 'id'));
    },
  }),
];

async function forgetItems(events: readonly { data: Item }[], db: Db): Promise<void> {
  await db.query(FORGET_ITEMS, columns(events, 'collection_id', 'account_id'));
}

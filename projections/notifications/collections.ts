import {
  CollectionDeleted,
  CollectionItemAdded,
  CollectionItemRejected,
  CollectionItemRemoved,
  CollectionItemRevoked,
  CollectionUpdated,
} from '#events/collections.ts';
import type { RecordedOf } from '#kernel/event.ts';
import { type BoundHandler, columns, dataOf, on } from '#kernel/projection.ts';
import { type Db, type Statement, statement } from '#kernel/read.ts';
import { arrive } from './arrivals.ts';
import { COLLECTIONS } from './tables.ts';

const REMEMBER = COLLECTIONS.insert();
/** An account that left a collection loses its notifications. */
const forget = (name: string, gone: string): Statement =>
  statement(
    name,
    `with gone as (delete from notification_collections c ${gone} returning c.collection_id, c.account_id, c.id)
     delete from notifications t using gone left join notification_collection_updates u using (collection_id)
     where t.account_id = gone.account_id and t.id in (gone.id, u.id)`,
  );
const FORGET_ITEMS = forget(
  'notification_collections_forget',
  `using unnest($1::bigint[], $2::bigint[]) as n (collection_id, account_id)
   where c.collection_id = n.collection_id and c.account_id = n.account_id`,
);
const FORGET_ALL = forget('notification_collections_forget_all', 'where c.collection_id = any($1::bigint[])');
const FORGET_UPDATES = statement(
  'notification_collection_updates_delete',
  'delete from notification_collection_updates where collection_id = any($1::bigint[])',
);
/** A later change replaces an earlier one. */
const REPLACE_UPDATE = statement(
  'notification_collection_updates_replace',
  `with earlier as (
     delete from notifications t using notification_collection_updates u, notification_collections c
     where u.collection_id = $1 and c.collection_id = $1 and t.account_id = c.account_id and t.id = u.id
   )
   insert into notification_collection_updates as u (collection_id, id) values ($1::bigint, $2::bigint)
   on conflict (collection_id) do update set id = excluded.id`,
);
const MEMBERS = statement<{ account_id: string }>(
  'notification_collection_members',
  'select account_id from notification_collections where collection_id = $1::bigint',
);

interface Item {
  id: string;
  collection_id: string;
  owner_id: string;
  account_id: string;
}

/** Events of different pairs of account and collection are independent. */
const keys = ({ data }: { data: Item }): string[] => [
  data.id,
  data.collection_id,
  data.owner_id,
  data.account_id,
];

/** Notifies accounts of being added to a collection, with the id of the item, and of its new name. */
export const collectionHandlers: readonly BoundHandler[] = [
  on(CollectionItemAdded, {
    keys,
    additive: true,
    apply: async (events, db) => {
      const arrivals = events.map(({ data, metadata, position }) => ({
        account_id: data.account_id,
        id: data.id,
        type: 'added_to_collection' as const,
        from_account_id: data.owner_id,
        status_id: null,
        created_at: metadata.time,
        private_thread: null,
        position,
      }));
      await Promise.all([REMEMBER.from(dataOf(events), db), arrive(arrivals, db)]);
    },
  }),
  on(CollectionItemRejected, { keys, apply: forgetItems }),
  on(CollectionItemRemoved, { keys, apply: forgetItems }),
  on(CollectionItemRevoked, { keys, apply: forgetItems }),
  // Barriers: these events do not name the members.
  on(CollectionUpdated, {
    apply: async (events, db) => {
      for (const event of events) await notifyMembers(event, db);
    },
  }),
  on(CollectionDeleted, {
    apply: async (events, db) => {
      await db.query(FORGET_ALL, columns(events, 'id'));
      await db.query(FORGET_UPDATES, columns(events, 'id'));
    },
  }),
];

async function notifyMembers(
  { data, metadata, position }: RecordedOf<typeof CollectionUpdated>,
  db: Db,
): Promise<void> {
  const { id, update_id, account_id } = data;
  if (update_id === null) return;
  await db.query(REPLACE_UPDATE, [id, update_id]);
  const members = await db.query(MEMBERS, [id]);
  await arrive(
    members.map((member) => ({
      account_id: member.account_id,
      id: update_id,
      type: 'collection_update',
      from_account_id: account_id,
      status_id: null,
      created_at: metadata.time,
      private_thread: null,
      position,
    })),
    db,
  );
}

async function forgetItems(events: readonly { data: Item }[], db: Db): Promise<void> {
  await db.query(FORGET_ITEMS, columns(events, 'collection_id', 'account_id'));
}

import {
  StatusFavourited,
  StatusReblogged,
  StatusUnfavourited,
  StatusUnreblogged,
} from '#events/interactions.ts';
import type { EventMetadata } from '#kernel/event.ts';
import { type BoundHandler, columns, on } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { NotificationType } from '#mastodon/notification-types.ts';
import { arrive, keysOfVerdict } from './arrivals.ts';

interface Interaction {
  account_id: string;
  status_id: string;
  status_account_id: string;
}

const UNFAVOURITE = statement(
  'notifications_unfavourite',
  `delete from notifications t using unnest($1::bigint[], $2::bigint[]) as n (account_id, status_id)
   where t.status_id = n.status_id and t.from_account_id = n.account_id and t.type = 'favourite'`,
);
const REBLOG = statement(
  'notification_reblogs_insert',
  `insert into notification_reblogs (status_id, account_id) select * from unnest($1::bigint[], $2::bigint[])
   on conflict do nothing`,
);
const UNREBLOG = statement(
  'notification_reblogs_delete',
  `delete from notification_reblogs b using unnest($1::bigint[], $2::bigint[]) as n (status_id, account_id)
   where b.status_id = n.status_id and b.account_id = n.account_id`,
);
const FORGET_REBLOG = statement(
  'notifications_unreblog',
  `delete from notifications t using unnest($1::bigint[], $2::bigint[]) as n (account_id, id)
   where t.account_id = n.account_id and t.id = n.id`,
);

const keys = ({ data }: { data: Interaction }): string[] => [
  data.status_id,
  data.account_id,
  data.status_account_id,
];
const withId = ({ data }: { data: Interaction & { id: string } }): string[] => [data.id, ...keys({ data })];
const arrives = {
  keys: ({ data }: { data: { id: string } }) => [data.id],
  reads: ({ data }: { data: Interaction }) => [
    data.status_id,
    ...keysOfVerdict(data.status_account_id, data.account_id),
  ],
};

/** Interactions of others with a post. */
export const interactionHandlers: readonly BoundHandler[] = [
  on(StatusFavourited, {
    ...arrives,
    additive: true,
    apply: (events, db) => notify('favourite', events, db),
  }),
  on(StatusUnfavourited, {
    keys,
    additive: true,
    apply: async (events, db) => {
      await db.query(UNFAVOURITE, [
        events.map(({ data }) => data.account_id),
        events.map(({ data }) => data.status_id),
      ]);
    },
  }),
  on(StatusReblogged, {
    ...arrives,
    additive: true,
    apply: async (events, db) => {
      await Promise.all([rememberReblogs(events, db), notify('reblog', events, db)]);
    },
  }),
  on(StatusUnreblogged, {
    keys: withId,
    additive: true,
    apply: async (events, db) => {
      const reblogs = columns(events, 'status_id', 'account_id');
      const notices = columns(events, 'status_account_id', 'id');
      await Promise.all([db.query(UNREBLOG, reblogs), db.query(FORGET_REBLOG, notices)]);
    },
  }),
];

interface InteractionNotice {
  data: Interaction & { id: string };
  metadata: EventMetadata;
  position: bigint;
}

const notify = (type: NotificationType, events: readonly InteractionNotice[], db: Db): Promise<void> =>
  arrive(
    events.map(({ data, metadata, position }) => ({
      account_id: data.status_account_id,
      id: data.id,
      type,
      from_account_id: data.account_id,
      status_id: data.status_id,
      created_at: metadata.time,
      private_thread: null,
      position,
    })),
    db,
  );

/** Stores reblogs by local accounts, which edits notify. */
async function rememberReblogs(
  events: readonly { data: Interaction & { local: boolean } }[],
  db: Db,
): Promise<void> {
  const ours = events.filter(({ data }) => data.local);
  if (ours.length === 0) return;
  await db.query(REBLOG, [ours.map(({ data }) => data.status_id), ours.map(({ data }) => data.account_id)]);
}

import {
  StatusFavourited,
  StatusReblogged,
  StatusUnfavourited,
  StatusUnreblogged,
} from '#events/interactions.ts';
import type { EventMetadata } from '#kernel/event.ts';
import { type BoundHandler, columns, dataOf, on } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { together } from '#kernel/table/index.ts';
import type { NotificationType } from '#mastodon/notification-types.ts';
import { arrive, keysOfVerdict } from './arrivals.ts';
import { NOTIFICATIONS, REBLOGS } from './tables.ts';

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
const REMEMBER = REBLOGS.add();

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
      await db.query(UNFAVOURITE, columns(events, 'account_id', 'status_id'));
    },
  }),
  on(StatusReblogged, {
    ...arrives,
    additive: true,
    apply: async (events, db) => {
      // Edits notify those who reblogged, if they are here.
      const ours = dataOf(events).filter(({ local }) => local);
      await Promise.all([REMEMBER.from(ours, db), notify('reblog', events, db)]);
    },
  }),
  on(StatusUnreblogged, {
    keys: withId,
    additive: true,
    apply: together(
      REBLOGS.remove().each(({ data }) => data),
      NOTIFICATIONS.remove().each(({ data }) => ({ account_id: data.status_account_id, id: data.id })),
    ),
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

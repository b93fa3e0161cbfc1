import {
  NotificationDismissed,
  NotificationGroupDismissed,
  NotificationRequestAccepted,
  NotificationRequestDismissed,
  NotificationsCleared,
} from '#events/notifications.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { STAFF } from './people.ts';

const DISMISS = statement(
  'notifications_dismiss',
  `delete from notifications t using unnest($1::bigint[], $2::bigint[]) as n (account_id, id)
   where t.account_id = n.account_id and t.id = n.id`,
);
const DISMISS_GROUP = statement(
  'notifications_dismiss_group',
  `delete from notifications t
   using unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[])
     as n (account_id, type, status_id, first, last)
   where t.account_id = n.account_id and t.type = n.type and t.status_id = n.status_id
     and t.id between n.first and n.last`,
);
const CLEAR = [
  statement('notifications_clear', 'delete from notifications where account_id = $1 and id <= $2'),
  statement(
    'notification_requests_clear',
    'delete from notification_requests where account_id = $1 and id <= $2',
  ),
];
const PAIRS = 'unnest($1::bigint[], $2::bigint[]) as n (account_id, from_account_id)';
const OF_PAIR = 't.account_id = n.account_id and t.from_account_id = n.from_account_id';
const PERMIT = statement(
  'notification_permissions_insert',
  `insert into notification_permissions (account_id, from_account_id)
   select * from ${PAIRS} on conflict do nothing`,
);
const UNFILTER = statement(
  'notifications_unfilter',
  `update notifications t set filtered = false from ${PAIRS} where ${OF_PAIR} and t.filtered`,
);
const FORGET_FILTERED = statement(
  'notifications_forget_filtered',
  `delete from notifications t using ${PAIRS} where ${OF_PAIR} and t.filtered`,
);
const ANSWER = statement(
  'notification_requests_answer',
  `delete from notification_requests t using ${PAIRS} where ${OF_PAIR}`,
);

interface Pair {
  account_id: string;
  from_account_id: string;
}
const pairKeys = ({ data }: { data: Pair }): string[] => [data.account_id, data.from_account_id];
const pairColumns = (events: readonly { data: Pair }[]): unknown[][] => [
  events.map(({ data }) => data.account_id),
  events.map(({ data }) => data.from_account_id),
];

/** Recipients' actions on their notifications. */
export const putAwayHandlers: readonly BoundHandler[] = [
  on(NotificationDismissed, {
    keys: ({ data }) => [data.account_id, data.id],
    additive: true,
    apply: async (events, db) => {
      await db.query(DISMISS, [events.map(({ data }) => data.account_id), events.map(({ data }) => data.id)]);
    },
  }),
  on(NotificationGroupDismissed, {
    // Notifications of new users come from events that do not name the staff.
    keys: ({ data }) => [data.account_id, STAFF],
    additive: true,
    apply: async (events, db) => {
      await db.query(DISMISS_GROUP, [
        events.map(({ data }) => data.account_id),
        events.map(({ data }) => data.type),
        events.map(({ data }) => data.status_id ?? '0'),
        events.map(({ data }) => data.from),
        events.map(({ data }) => data.up_to),
      ]);
    },
  }),
  // A barrier: posts and edits notify accounts that their events do not name.
  on(NotificationsCleared, {
    apply: async (events, db) => {
      for (const { data } of events) {
        await Promise.all(CLEAR.map((clear) => db.query(clear, [data.account_id, data.up_to])));
      }
    },
  }),
  on(NotificationRequestAccepted, {
    keys: pairKeys,
    apply: async (events, db) => {
      const pairs = pairColumns(events);
      await Promise.all([PERMIT, UNFILTER, ANSWER].map((answer) => db.query(answer, pairs)));
    },
  }),
  on(NotificationRequestDismissed, {
    keys: pairKeys,
    apply: async (events, db) => {
      const pairs = pairColumns(events);
      await Promise.all([FORGET_FILTERED, ANSWER].map((answer) => db.query(answer, pairs)));
    },
  }),
];

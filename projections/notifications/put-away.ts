import {
  NotificationDismissed,
  NotificationGroupDismissed,
  NotificationRequestAccepted,
  NotificationRequestDismissed,
  NotificationsCleared,
} from '#events/notifications.ts';
import { type BoundHandler, columns, dataOf, on } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { batch, bigint, text } from '#kernel/table/index.ts';
import { STAFF } from './people.ts';
import { NOTIFICATIONS, PERMISSIONS, REQUESTS } from './tables.ts';

const DISMISS_GROUP = batch(
  'notifications_dismiss_group',
  { account_id: bigint, type: text, status_id: bigint, first: bigint, last: bigint },
  (rows) => `delete from notifications t using ${rows}
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
const PERMIT = PERMISSIONS.add();
const ANSWER = REQUESTS.remove();
const UNFILTER = statement(
  'notifications_unfilter',
  `update notifications t set filtered = false from ${PAIRS} where ${OF_PAIR} and t.filtered`,
);
const FORGET_FILTERED = statement(
  'notifications_forget_filtered',
  `delete from notifications t using ${PAIRS} where ${OF_PAIR} and t.filtered`,
);
interface Pair {
  account_id: string;
  from_account_id: string;
}
const pairKeys = ({ data }: { data: Pair }): string[] => [data.account_id, data.from_account_id];

/** Recipients' actions on their notifications. */
export const putAwayHandlers: readonly BoundHandler[] = [
  on(NotificationDismissed, {
    keys: ({ data }) => [data.account_id, data.id],
    additive: true,
    apply: NOTIFICATIONS.remove().each(({ data }) => data),
  }),
  on(NotificationGroupDismissed, {
    // Notifications of new users come from events that do not name the staff.
    keys: ({ data }) => [data.account_id, STAFF],
    additive: true,
    apply: DISMISS_GROUP.each(({ data: { account_id, type, status_id, from, up_to } }) => ({
      account_id,
      type,
      status_id: status_id ?? '0',
      first: from,
      last: up_to,
    })),
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
      const rows = dataOf(events);
      const pairs = columns(events, 'account_id', 'from_account_id');
      await Promise.all([PERMIT.from(rows, db), db.query(UNFILTER, pairs), ANSWER.from(rows, db)]);
    },
  }),
  on(NotificationRequestDismissed, {
    keys: pairKeys,
    apply: async (events, db) => {
      const rows = dataOf(events);
      const pairs = columns(events, 'account_id', 'from_account_id');
      await Promise.all([db.query(FORGET_FILTERED, pairs), ANSWER.from(rows, db)]);
    },
  }),
];

import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { NOTIFICATION_TYPES } from '#mastodon/notification-types.ts';
import { id } from './common.ts';

/** The notification settings of an account. */
export const notificationsStream = (accountId: string): string => `notifications-${accountId}`;
/*
 * Each dismissal has a stream of its own with one event: a dismissal loads no long history, and a repeat uses
 * the same name.
 */
export const notificationStream = (accountId: string, notificationId: string): string =>
  `notification-${accountId}-${notificationId}`;
export const notificationGroupStream = (accountId: string, groupKey: string, upTo: string): string =>
  `notification-group-${accountId}-${groupKey}-${upTo}`;
export const clearedNotificationsStream = (accountId: string, upTo: string): string =>
  `cleared-notifications-${accountId}-${upTo}`;
export const notificationRequestStream = (accountId: string, requestId: string): string =>
  `notification-request-${accountId}-${requestId}`;

/** Types whose notifications are grouped: https://docs.joinmastodon.org/methods/grouped_notifications/ */
export const GROUPED_TYPES = ['favourite', 'reblog', 'follow', 'admin.sign_up'] as const;
/** A group covers this many hours, from the start of the hour in which it begins. */
export const GROUP_SPAN_HOURS = 12;

/** Shown, filtered into a request, or not stored at all. */
export const notificationVerdict = z.enum(['accept', 'filter', 'drop']);
export type NotificationVerdict = z.infer<typeof notificationVerdict>;

/** https://docs.joinmastodon.org/entities/NotificationPolicy/ without the summary. */
export const notificationPolicy = z.object({
  for_not_following: notificationVerdict,
  for_not_followers: notificationVerdict,
  /** Accounts that are younger than 30 days. */
  for_new_accounts: notificationVerdict,
  for_private_mentions: notificationVerdict,
  for_limited_accounts: notificationVerdict,
  /** Accounts that declare to be automated. */
  for_bots: notificationVerdict,
});
export type NotificationPolicyRules = z.infer<typeof notificationPolicy>;

/** The policy until an account changes it, as in Mastodon. */
export const DEFAULT_NOTIFICATION_POLICY: NotificationPolicyRules = {
  for_not_following: 'accept',
  for_not_followers: 'accept',
  for_new_accounts: 'accept',
  for_private_mentions: 'filter',
  for_limited_accounts: 'filter',
  for_bots: 'accept',
};

const ofAccount = { account_id: id };
const sampleOfAccount = { account_id: '109500000000000000' };

/** Only the changed members. Applies to later notifications. */
export const NotificationPolicyChanged = defineEvent({
  type: 'NotificationPolicyChanged',
  version: 2,
  schema: z.object({ ...ofAccount, ...notificationPolicy.partial().shape }),
  upcasts: { 1: (data) => data },
  samples: {
    1: { ...sampleOfAccount, for_not_following: 'filter', for_private_mentions: 'drop' },
    2: { ...sampleOfAccount, for_bots: 'filter' },
  },
});

/** All notifications up to `up_to`, the newest one. */
export const NotificationsCleared = defineEvent({
  type: 'NotificationsCleared',
  version: 1,
  schema: z.object({ ...ofAccount, up_to: id }),
  samples: { 1: { ...sampleOfAccount, up_to: '115500000000000020' } },
});

export const NotificationDismissed = defineEvent({
  type: 'NotificationDismissed',
  version: 1,
  schema: z.object({ ...ofAccount, id }),
  samples: { 1: { ...sampleOfAccount, id: '115500000000000020' } },
});

/** The notifications of one type about one status (null: about none), with ids from `from` to `up_to`. */
export const NotificationGroupDismissed = defineEvent({
  type: 'NotificationGroupDismissed',
  version: 1,
  schema: z.object({
    ...ofAccount,
    group_key: z.string().max(100),
    type: z.enum(NOTIFICATION_TYPES),
    status_id: id.nullable(),
    from: id,
    up_to: id,
  }),
  samples: {
    1: {
      ...sampleOfAccount,
      group_key: 'favourite-115500000000000000-489552',
      type: 'favourite',
      status_id: '115500000000000000',
      from: '115499000000000000',
      up_to: '115500000000000020',
    },
  },
});

/** Everything that was filtered from one account until the reader answers. */
const ofRequest = { account_id: id, from_account_id: id, request_id: id };
const sampleOfRequest = {
  account_id: '109500000000000000',
  from_account_id: '109500000000000002',
  request_id: '115500000000000020',
};

/** Shows the filtered notifications; later ones of this account are neither filtered nor dropped. */
export const NotificationRequestAccepted = defineEvent({
  type: 'NotificationRequestAccepted',
  version: 1,
  schema: z.object(ofRequest),
  samples: { 1: sampleOfRequest },
});

/** Drops the notifications that were filtered so far; later ones make another request. */
export const NotificationRequestDismissed = defineEvent({
  type: 'NotificationRequestDismissed',
  version: 1,
  schema: z.object(ofRequest),
  samples: { 1: sampleOfRequest },
});

export const notificationEvents = [
  NotificationPolicyChanged,
  NotificationsCleared,
  NotificationDismissed,
  NotificationGroupDismissed,
  NotificationRequestAccepted,
  NotificationRequestDismissed,
];

/** The events of the stream `notifications-...`. */
export type NotificationPolicyEvent = EventOf<typeof NotificationPolicyChanged>;
/** The events of streams that hold one event. */
export type NotificationsPutAway =
  | EventOf<typeof NotificationsCleared>
  | EventOf<typeof NotificationDismissed>
  | EventOf<typeof NotificationGroupDismissed>
  | EventOf<typeof NotificationRequestAccepted>
  | EventOf<typeof NotificationRequestDismissed>;

import type { JobDefinition } from '#adapters/jobs/handler.ts';
import { announcePush, causesOf, DELIVER_PUSH, deliverPush } from '#commands/push/index.ts';
import { UserRegistered } from '#events/accounts.ts';
import { CollectionItemAdded, CollectionUpdated } from '#events/collections.ts';
import { StatusFavourited, StatusReblogged } from '#events/interactions.ts';
import { AccountWarned } from '#events/moderation.ts';
import { QuoteAccepted } from '#events/quotes.ts';
import { AccountFollowed, FollowRequested } from '#events/relationships.ts';
import { ReportFiled } from '#events/reports.ts';
import { RelationshipsSevered } from '#events/severed-relationships.ts';
import { PollClosed, ReplyLinked, StatusCreated, StatusEdited } from '#events/statuses.ts';
import { reactor } from '#kernel/reactor.ts';

/** Pushes notifications to the devices of subscribers. */
export const pushNotifications = reactor({
  name: 'push-notifications',
  // Most events cause no push: `announcePush` waits only for those that may.
  reads: [],
  on: [
    AccountFollowed,
    AccountWarned,
    CollectionItemAdded,
    CollectionUpdated,
    FollowRequested,
    PollClosed,
    QuoteAccepted,
    RelationshipsSevered,
    ReplyLinked,
    ReportFiled,
    StatusCreated,
    StatusEdited,
    StatusFavourited,
    StatusReblogged,
    UserRegistered,
  ],
  ignores: (_event, { pushSubscriptions }) => pushSubscriptions.none,
  concurrency: 16,
  react: async (ctx, event, { signal }) => {
    for (const cause of causesOf(event)) await announcePush(ctx, cause, signal);
  },
});

/** Sends one notification to some subscriptions. */
export const deliverPushes: JobDefinition = {
  name: DELIVER_PUSH,
  running: 4,
  outside: 64,
  work: async (ctx, { notification_id: notificationId, subscription_ids: ids, put_off: putOff }, run) => {
    if (typeof notificationId !== 'string' || !Array.isArray(ids)) return;
    const subscriptionIds = ids.filter((id) => typeof id === 'string');
    const push = { notificationId, subscriptionIds, putOff: typeof putOff === 'number' ? putOff : 0 };
    const failed = await deliverPush(ctx, push, run);
    // The next try skips delivered subscriptions. The queue pauses longer each time, and finally gives up.
    if (failed > 0) throw new Error(`${failed} push services did not take a notification`);
  },
};

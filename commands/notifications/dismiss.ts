import { z } from 'zod';
import {
  clearedNotificationsStream,
  notificationGroupStream,
  notificationStream,
} from '#events/notifications.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { MAIN, NOTIFICATIONS } from '#kernel/projection.ts';
import {
  newestNotification,
  newestOf,
  ownNotification,
  parseGroupKey,
} from '#queries/notifications/index.ts';
import { appendOnce } from './put-away.ts';

const dismissEndpoint = {
  method: 'POST',
  auth: 'user',
  scopes: ['write:notifications'],
  reads: [MAIN, NOTIFICATIONS],
  reply: z.strictObject({}),
} as const;

/** https://docs.joinmastodon.org/methods/notifications/#dismiss */
export const dismissNotification = endpoint({
  ...dismissEndpoint,
  path: '/api/v1/notifications/:id/dismiss',
  summary: 'Dismiss a notification',
  params: idParams,
  handler: async (ctx, { params }) => {
    const { id } = await ownNotification(ctx, params.id);
    await dismiss(ctx, id);
    return { json: {} };
  },
});

/** Without such a group there is nothing to do. */
export const dismissGroup = endpoint({
  ...dismissEndpoint,
  path: '/api/v2/notifications/:group_key/dismiss',
  summary: 'Dismiss a group of notifications',
  params: z.object({
    group_key: z
      .string()
      .max(100)
      .describe('The key of the group, as lists of grouped notifications give it.'),
  }),
  handler: async (ctx, { params: { group_key } }) => {
    const range = parseGroupKey(group_key);
    const newest = range && (await newestOf(ctx, range));
    if (!range || newest === undefined) return { json: {} };
    if (range.id === undefined) {
      const { type, statusId, first: from } = range;
      const account_id = ctx.viewer.account_id;
      await appendOnce(ctx, notificationGroupStream(account_id, group_key, newest), {
        type: 'NotificationGroupDismissed',
        data: {
          account_id,
          group_key,
          type,
          from,
          up_to: newest,
          status_id: statusId === '0' ? null : statusId,
        },
      });
    } else {
      await dismiss(ctx, newest);
    }
    return { json: {} };
  },
});

const clearAll = <const Path extends string>(path: Path) =>
  endpoint({
    ...dismissEndpoint,
    path,
    summary: 'Dismiss all notifications',
    handler: async (ctx) => {
      const account_id = ctx.viewer.account_id;
      const up_to = await newestNotification(ctx);
      if (up_to !== undefined) {
        await appendOnce(ctx, clearedNotificationsStream(account_id, up_to), {
          type: 'NotificationsCleared',
          data: { account_id, up_to },
        });
      }
      return { json: {} };
    },
  });

/** Clears filtered notifications too. https://docs.joinmastodon.org/methods/notifications/#clear */
export const clearNotifications = clearAll('/api/v1/notifications/clear');

/** The same for grouped notifications. https://docs.joinmastodon.org/methods/grouped_notifications/ */
export const clearGroupedNotifications = clearAll('/api/v2/notifications/clear');

const dismiss = (ctx: UserContext, id: string): Promise<void> => {
  const account_id = ctx.viewer.account_id;
  return appendOnce(ctx, notificationStream(account_id, id), {
    type: 'NotificationDismissed',
    data: { account_id, id },
  });
};

import { z } from 'zod';
import { notificationsStream, notificationVerdict } from '#events/notifications.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { formBoolean, orNothing } from '#kernel/input.ts';
import { MAIN, NOTIFICATIONS } from '#kernel/projection.ts';
import { notificationPolicySchema, v1NotificationPolicySchema } from '#mastodon/schemas/index.ts';
import { policyOf, v1PolicyOf } from '#queries/notifications/index.ts';
import { decidePolicy, decideV1Policy, policy } from './policy.ts';

const rule = orNothing(notificationVerdict);

/** Applies to later notifications. */
export const changePolicy = endpoint({
  method: 'PATCH',
  path: '/api/v2/notifications/policy',
  summary: 'Change which notifications are filtered',
  auth: 'user',
  scopes: ['write:notifications'],
  body: z.object({
    for_not_following: rule.describe(
      'What happens to notifications from accounts that the user does not follow: `accept`, `filter` or `drop`.',
    ),
    for_not_followers: rule.describe(
      'What happens to notifications from accounts that do not follow the user: `accept`, `filter` or `drop`.',
    ),
    for_new_accounts: rule.describe(
      'What happens to notifications from accounts of the last 30 days: `accept`, `filter` or `drop`.',
    ),
    for_private_mentions: rule.describe(
      'What happens to unsolicited private mentions: `accept`, `filter` or `drop`.',
    ),
    for_limited_accounts: rule.describe(
      'What happens to notifications from accounts that staff limited: `accept`, `filter` or `drop`.',
    ),
    for_bots: rule.describe(
      'What happens to notifications from automated accounts: `accept`, `filter` or `drop`.',
    ),
  }),
  reads: [MAIN, NOTIFICATIONS],
  reply: notificationPolicySchema,
  handler: async (ctx, { body }) => {
    const me = ctx.viewer.account_id;
    await ctx.execute(notificationsStream(me), policy, (state) => decidePolicy(state, me, body));
    return { json: await policyOf(ctx) };
  },
});

const v1Rule = formBoolean.optional();

/** https://docs.joinmastodon.org/entities/V1_NotificationPolicy/ */
export const changeV1Policy = endpoint({
  method: 'PATCH',
  path: '/api/v1/notifications/policy',
  summary: 'Change which notifications are not accepted',
  auth: 'user',
  scopes: ['write:notifications'],
  body: z.object({
    filter_not_following: v1Rule.describe(
      'Whether notifications from accounts that the user does not follow are filtered.',
    ),
    filter_not_followers: v1Rule.describe(
      'Whether notifications from accounts that do not follow the user are filtered.',
    ),
    filter_new_accounts: v1Rule.describe(
      'Whether notifications from accounts of the last 30 days are filtered.',
    ),
    filter_private_mentions: v1Rule.describe('Whether unsolicited private mentions are filtered.'),
    filter_bots: v1Rule.describe('Whether notifications from automated accounts are filtered.'),
  }),
  reads: [MAIN, NOTIFICATIONS],
  reply: v1NotificationPolicySchema,
  deprecated: true,
  handler: async (ctx, { body }) => {
    const me = ctx.viewer.account_id;
    await ctx.execute(notificationsStream(me), policy, (state) => decideV1Policy(state, me, body));
    return { json: await v1PolicyOf(ctx) };
  },
});

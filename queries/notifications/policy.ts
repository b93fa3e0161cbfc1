import type { NotificationPolicyRules, NotificationVerdict } from '#events/notifications.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { MAIN, NOTIFICATIONS } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import {
  type NotificationPolicy,
  notificationPolicySchema,
  type V1NotificationPolicy,
  v1NotificationPolicySchema,
} from '#mastodon/schemas/index.ts';
import { filteredOf } from './filtered.ts';

/** The maximum that the documentation gives. */
const MAX_REQUESTS = 100;

const POLICY = statement<Row>(
  'notification_policy',
  `select p.for_not_following, p.for_not_followers, p.for_new_accounts, p.for_private_mentions, p.for_limited_accounts,
     p.for_bots,
     w.requests, w.notifications
   from notification_people p cross join lateral (
     select count(*)::int as requests, coalesce(sum(w.notifications_count), 0)::int as notifications from (
       select c.notifications_count from notification_requests q
       cross join lateral ${filteredOf('q', '$1')} c
       where q.account_id = $1 and c.notifications_count > 0 limit ${MAX_REQUESTS}
     ) w
   ) w
   where p.account_id = $1`,
);

/** In the order of their numbers in the read model. */
const VERDICTS: readonly NotificationVerdict[] = ['accept', 'filter', 'drop'];
type Row = Record<keyof NotificationPolicyRules, number> & { requests: number; notifications: number };

/** https://docs.joinmastodon.org/methods/notifications/#get-policy */
export const showPolicy = endpoint({
  method: 'GET',
  path: '/api/v2/notifications/policy',
  summary: 'View which notifications are filtered',
  auth: 'user',
  scopes: ['read:notifications'],
  reads: [MAIN, NOTIFICATIONS],
  reply: notificationPolicySchema,
  handler: async (ctx) => ({ json: await policyOf(ctx) }),
});

/** https://docs.joinmastodon.org/entities/V1_NotificationPolicy/. The official apps still request it. */
export const showV1Policy = endpoint({
  method: 'GET',
  path: '/api/v1/notifications/policy',
  summary: 'View which notifications are not accepted',
  auth: 'user',
  scopes: ['read:notifications'],
  reads: [MAIN, NOTIFICATIONS],
  reply: v1NotificationPolicySchema,
  deprecated: true,
  handler: async (ctx) => ({ json: await v1PolicyOf(ctx) }),
});

/**
 * Returns the viewer's policy in its form before there were three verdicts: `filter` and `drop` are the same.
 */
export async function v1PolicyOf(ctx: UserContext): Promise<V1NotificationPolicy> {
  const policy = await policyOf(ctx);
  return {
    filter_not_following: policy.for_not_following !== 'accept',
    filter_not_followers: policy.for_not_followers !== 'accept',
    filter_new_accounts: policy.for_new_accounts !== 'accept',
    filter_private_mentions: policy.for_private_mentions !== 'accept',
    filter_bots: policy.for_bots !== 'accept',
    summary: policy.summary,
  };
}

/** Returns the viewer's policy. */
export async function policyOf(ctx: UserContext): Promise<NotificationPolicy> {
  const [row] = await ctx.db.query(POLICY, [ctx.viewer.account_id]);
  if (!row) throw notFound();
  const verdict = (number: number): NotificationVerdict => VERDICTS[number] ?? 'accept';
  return {
    for_not_following: verdict(row.for_not_following),
    for_not_followers: verdict(row.for_not_followers),
    for_new_accounts: verdict(row.for_new_accounts),
    for_private_mentions: verdict(row.for_private_mentions),
    for_limited_accounts: verdict(row.for_limited_accounts),
    for_bots: verdict(row.for_bots),
    summary: { pending_requests_count: row.requests, pending_notifications_count: row.notifications },
  };
}

import { z } from 'zod';
import { url } from './shared.ts';

/**
 * One switch per type of notification; Mastodon 4.5 added `quote` and `quoted_update`. Mastodon documents the
 * last four elsewhere; its servers accept them.
 */
export const pushAlertsSchema = z.strictObject({
  mention: z.boolean(),
  status: z.boolean(),
  reblog: z.boolean(),
  follow: z.boolean(),
  follow_request: z.boolean(),
  favourite: z.boolean(),
  poll: z.boolean(),
  update: z.boolean(),
  quote: z.boolean(),
  quoted_update: z.boolean(),
  'admin.sign_up': z.boolean(),
  'admin.report': z.boolean(),
  severed_relationships: z.boolean(),
  moderation_warning: z.boolean(),
  added_to_collection: z.boolean(),
  collection_update: z.boolean(),
});
export type PushAlerts = z.infer<typeof pushAlertsSchema>;

/**
 * https://docs.joinmastodon.org/entities/WebPushSubscription/. The id is a number, as in its example, because
 * apps accept nothing else.
 */
export const webPushSubscriptionSchema = z
  .strictObject({
    id: z.int(),
    endpoint: url,
    standard: z.boolean(),
    alerts: pushAlertsSchema,
    server_key: z.string(),
    /** The accounts that may cause a push. Undocumented, but sent by Mastodon. */
    policy: z.enum(['all', 'followed', 'follower', 'none']),
  })
  .meta({ id: 'WebPushSubscription' });
export type WebPushSubscription = z.infer<typeof webPushSubscriptionSchema>;

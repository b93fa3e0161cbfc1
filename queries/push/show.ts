import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { statement } from '#kernel/read.ts';
import {
  type PushAlerts,
  pushAlertsSchema,
  type WebPushSubscription,
  webPushSubscriptionSchema,
} from '#mastodon/schemas/index.ts';

const OF_TOKEN = statement<Row>(
  'push_subscription_of_token',
  'select id, endpoint, standard, alerts, policy from durable.push_subscriptions where access_token_id = $1',
);

interface Row {
  id: string;
  endpoint: string;
  standard: boolean;
  /** The enabled alerts. */
  alerts: string[];
  policy: WebPushSubscription['policy'];
}

/** https://docs.joinmastodon.org/methods/push/#get */
export const showPushSubscription = endpoint({
  method: 'GET',
  path: '/api/v1/push/subscription',
  summary: 'View the own subscription to push notifications',
  auth: 'user',
  scopes: ['push'],
  reply: webPushSubscriptionSchema,
  errors: [404],
  handler: async (ctx) => ({ json: await subscriptionOf(ctx) }),
});

/** Returns the subscription of the caller's token. @throws RookeryError `not_found` when it has none */
export async function subscriptionOf({ db, token, instance }: UserContext): Promise<WebPushSubscription> {
  const [row] = await db.query(OF_TOKEN, [token.id]);
  if (!row) throw notFound();
  const { id, alerts, ...subscription } = row;
  const types = Object.keys(pushAlertsSchema.shape);
  return {
    id: Number(id),
    ...subscription,
    alerts: Object.fromEntries(types.map((type) => [type, alerts.includes(type)])) as PushAlerts,
    server_key: instance.vapidPublicKey,
  };
}

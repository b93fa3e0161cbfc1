import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { parameterMissing } from '#kernel/errors.ts';
import { expectedObject, formObject } from '#kernel/input.ts';
import { webPushSubscriptionSchema } from '#mastodon/schemas/index.ts';
import { subscriptionOf } from '#queries/push/index.ts';
import { alertsIn, checkedTarget, dataSchema, subscriptionSchema } from './input.ts';

/**
 * Replaces the token's earlier subscription. Also accepts `policy` beside `data`, where changing a
 * subscription expects it. https://docs.joinmastodon.org/methods/push/#create
 */
export const subscribeToPush = endpoint({
  method: 'POST',
  path: '/api/v1/push/subscription',
  summary: 'Subscribe to push notifications',
  auth: 'user',
  scopes: ['push'],
  bearer: true,
  body: z.object({
    subscription: formObject(subscriptionSchema).describe(
      'Where messages go; it replaces an earlier subscription of the token.',
    ),
    data: expectedObject(dataSchema).describe('What is pushed.'),
    policy: dataSchema.shape.policy,
  }),
  requires: ['subscription'],
  reply: webPushSubscriptionSchema,
  handler: async (ctx, { body: { subscription, data, policy } }) => {
    if (!subscription) throw parameterMissing('subscription');
    if (data === null) throw parameterMissing('data');
    const standard = subscription.standard === true;
    await ctx.services.pushSubscriptions.create(
      { tokenId: ctx.token.id, accountId: ctx.viewer.account_id },
      {
        ...checkedTarget(subscription),
        standard,
        alerts: alertsIn(data ?? {}) ?? [],
        policy: data?.policy ?? policy ?? 'all',
        bearer: standard ? null : (ctx.bearer ?? null),
      },
    );
    return { json: await subscriptionOf(ctx) };
  },
});

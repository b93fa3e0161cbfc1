import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { parameterMissing } from '#kernel/errors.ts';
import { expectedObject } from '#kernel/input.ts';
import { webPushSubscriptionSchema } from '#mastodon/schemas/index.ts';
import { subscriptionOf } from '#queries/push/index.ts';
import { alertsIn, dataSchema } from './input.ts';

/** Accepts `policy` beside `data`, too. https://docs.joinmastodon.org/methods/push/#update */
export const changePushSubscription = endpoint({
  method: 'PUT',
  path: '/api/v1/push/subscription',
  summary: 'Change which notifications are pushed',
  auth: 'user',
  scopes: ['push'],
  body: z.object({
    data: expectedObject(dataSchema).describe('What is pushed; absent parts keep their value.'),
    policy: dataSchema.shape.policy,
  }),
  reply: webPushSubscriptionSchema,
  errors: [404],
  handler: async (ctx, { body }) => {
    if (body.data === null) {
      await subscriptionOf(ctx);
      throw parameterMissing('data');
    }
    const alerts = alertsIn(body.data ?? {});
    const policy = body.data?.policy ?? body.policy;
    await ctx.services.pushSubscriptions.change(ctx.token.id, {
      ...(alerts ? { alerts } : {}),
      ...(policy ? { policy } : {}),
    });
    return { json: await subscriptionOf(ctx) };
  },
});

import { notificationPolicySchema } from '../../queries/entities/schemas/index.ts';
import { policyOf } from '../../queries/notifications/index.ts';
import { notificationPolicy, notificationsStream } from '../../src/events/notifications.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { decidePolicy, policy } from './policy.ts';

/** Holds for what arrives from then on. */
export const changePolicy = endpoint({
  method: 'PATCH',
  path: '/api/v2/notifications/policy',
  summary: 'Change which notifications are filtered',
  auth: 'user',
  scopes: ['write:notifications'],
  body: notificationPolicy.partial(),
  reply: notificationPolicySchema,
  handler: async (ctx, { body }) => {
    const me = ctx.viewer.account_id;
    await ctx.execute(notificationsStream(me), policy, (state) => decidePolicy(state, me, body));
    return { json: await policyOf(ctx) };
  },
});

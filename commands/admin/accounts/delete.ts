import { z } from 'zod';
import { eraseAccount } from '#commands/accounts/index.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { moderationEndpoint } from './lift.ts';

/**
 * Mastodon replies with the account; the specification requires an empty object.
 * https://docs.joinmastodon.org/methods/admin/accounts/#delete
 */
export const deleteAccount = endpoint({
  ...moderationEndpoint,
  method: 'DELETE',
  path: '/api/v1/admin/accounts/:id',
  summary: 'Delete the data of a suspended account for good',
  permission: 'delete_user_data',
  reply: z.strictObject({}),
  handler: async (ctx, { params }) => {
    await eraseAccount(ctx, params.id, ctx.viewer);
    return { json: {} };
  },
});

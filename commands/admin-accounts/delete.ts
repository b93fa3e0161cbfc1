import { adminAccountText } from '../../queries/admin-accounts/index.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { eraseAccount } from '../accounts/index.ts';
import { moderationEndpoint } from './lift.ts';

/** The reply is the account as it was. https://docs.joinmastodon.org/methods/admin/accounts/#delete */
export const deleteAccount = endpoint({
  ...moderationEndpoint,
  method: 'DELETE',
  path: '/api/v1/admin/accounts/:id',
  summary: 'Delete the data of a suspended account for good',
  permission: 'delete_user_data',
  handler: async (ctx, { params }) => {
    const text = await adminAccountText(ctx, params.id);
    await eraseAccount(ctx, params.id, ctx.viewer);
    return { text };
  },
});

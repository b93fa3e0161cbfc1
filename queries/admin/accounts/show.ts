import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { adminAccountSchema } from '#mastodon/schemas/index.ts';
import { adminAccountText } from './find.ts';

/** https://docs.joinmastodon.org/methods/admin/accounts/#get-one */
export const showAdminAccount = endpoint({
  method: 'GET',
  path: '/api/v1/admin/accounts/:id',
  summary: 'View an account as staff',
  auth: 'user',
  scopes: ['admin:read:accounts'],
  permission: 'manage_users',
  params: idParams,
  reply: adminAccountSchema,
  handler: async (ctx, { params }) => ({ text: await adminAccountText(ctx, params.id) }),
});

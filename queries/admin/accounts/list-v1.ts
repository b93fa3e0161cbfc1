import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { formBoolean } from '#kernel/input.ts';
import { rolesThatMay } from '#mastodon/permissions.ts';
import { adminAccountSchema } from '#mastodon/schemas/index.ts';
import { ACCOUNT_STATES, listAdminAccounts } from './find.ts';
import { sharedFilter, sharedParameters } from './parameters.ts';

const flag = formBoolean.optional();

/** https://docs.joinmastodon.org/methods/admin/accounts/#v1 */
export const listAccountsV1 = endpoint({
  method: 'GET',
  path: '/api/v1/admin/accounts',
  summary: 'View accounts as staff, by older filters',
  auth: 'user',
  scopes: ['admin:read:accounts'],
  permission: 'manage_users',
  query: z.object({
    local: flag.describe('Whether only accounts of this server are listed.'),
    remote: flag.describe('Whether only accounts of other servers are listed.'),
    active: flag.describe('Whether only accounts that are not suspended are listed.'),
    pending: flag.describe('Whether only accounts that wait for approval are listed.'),
    disabled: flag.describe('Whether only accounts with a disabled login are listed.'),
    silenced: flag.describe('Whether only limited accounts are listed.'),
    suspended: flag.describe('Whether only suspended accounts are listed.'),
    sensitized: flag.describe('Whether only accounts whose media are always sensitive are listed.'),
    staff: flag.describe('Whether only accounts of staff are listed.'),
    ...sharedParameters,
  }),
  reply: z.array(adminAccountSchema),
  handler: async (ctx, { query }) => {
    const both = (query.local === true) === (query.remote === true);
    const filter = {
      ...sharedFilter(query),
      local: both ? undefined : query.local === true,
      states: ACCOUNT_STATES.filter((state) => query[state] === true),
      roles: query.staff === true ? rolesThatMay('manage_reports') : undefined,
    };
    return listAdminAccounts(ctx, filter, query);
  },
});

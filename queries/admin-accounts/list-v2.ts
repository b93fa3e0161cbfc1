import { z } from 'zod';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { formStringArray, orNothing } from '../../src/kernel/input.ts';
import { rolesOf, rolesThatMay } from '../../src/kernel/permissions.ts';
import { adminAccountSchema } from '../entities/schemas/index.ts';
import { ACCOUNT_STATES, listAdminAccounts } from './find.ts';
import { sharedFilter, sharedParameters } from './parameters.ts';

/** https://docs.joinmastodon.org/methods/admin/accounts/#v2 */
export const listAccountsV2 = endpoint({
  method: 'GET',
  path: '/api/v2/admin/accounts',
  summary: 'View accounts as staff',
  auth: 'user',
  scopes: ['admin:read:accounts'],
  permission: 'manage_users',
  query: z.object({
    origin: orNothing(z.enum(['local', 'remote'])).describe(
      'Where the accounts are: `local` or `remote`; both by default.',
    ),
    status: orNothing(z.enum(ACCOUNT_STATES)).describe('The state of the accounts; any by default.'),
    permissions: orNothing(z.enum(['staff'])).describe(
      'The one value `staff` lists accounts of staff alone.',
    ),
    role_ids: formStringArray(50, 40)
      .default([])
      .describe('IDs of roles; only accounts with one of them are listed.'),
    invited_by: z
      .string()
      .max(40)
      .optional()
      .describe('The ID of an inviting account; this server has no invitations, so any ID finds nothing.'),
    ...sharedParameters,
  }),
  reply: z.array(adminAccountSchema),
  handler: async (ctx, { query }) => {
    if (query.invited_by) return { json: [] };
    const { origin, status, permissions, role_ids } = query;
    const staff = permissions === 'staff' ? rolesThatMay('manage_reports') : undefined;
    const named = role_ids.length === 0 ? undefined : rolesOf(role_ids);
    const filter = {
      ...sharedFilter(query),
      local: origin == null ? undefined : origin === 'local',
      states: status == null ? [] : [status],
      roles: staff && named ? staff.filter((role) => named.includes(role)) : (staff ?? named),
    };
    return listAdminAccounts(ctx, filter, query);
  },
});

import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { RookeryError } from '#kernel/errors.ts';
import { formStringArray, orNothing, wordText } from '#kernel/input.ts';
import { rolesOf, rolesThatMay } from '#mastodon/permissions.ts';
import { adminAccountSchema } from '#mastodon/schemas/index.ts';
import { ACCOUNT_STATES, listAdminAccounts } from './find.ts';
import { sharedFilter, sharedParameters } from './parameters.ts';

const ORIGINS = ['local', 'remote'] as const;

/** Throws RookeryError `bad_request` for any other word. */
function known<Word extends string>(
  name: string,
  words: readonly Word[],
  given: string | null | undefined,
): Word | undefined {
  if (!given?.trim()) return undefined;
  const found = words.find((each) => each === given);
  if (found === undefined) throw new RookeryError('bad_request', `Unknown ${name}: ${given}`);
  return found;
}

/** https://docs.joinmastodon.org/methods/admin/accounts/#v2 */
export const listAccountsV2 = endpoint({
  method: 'GET',
  path: '/api/v2/admin/accounts',
  summary: 'View accounts as staff',
  auth: 'user',
  scopes: ['admin:read:accounts'],
  permission: 'manage_users',
  query: z.object({
    origin: orNothing(wordText(ORIGINS, 100)).describe(
      'Where the accounts are: `local` or `remote`; both by default.',
    ),
    status: orNothing(wordText(ACCOUNT_STATES, 100)).describe(
      `The state of the accounts, any by default: ${ACCOUNT_STATES.join(', ')}.`,
    ),
    permissions: orNothing(wordText(['staff'], 100)).describe(
      'The one value `staff` lists accounts of staff alone; others mean nothing.',
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
    const { permissions, role_ids } = query;
    const origin = known('origin', ORIGINS, query.origin);
    const status = known('status', ACCOUNT_STATES, query.status);
    if (query.invited_by) return { json: [] };
    const staff = permissions === 'staff' ? rolesThatMay('manage_reports') : undefined;
    const named = role_ids.length === 0 ? undefined : rolesOf(role_ids);
    const filter = {
      ...sharedFilter(query),
      local: origin === undefined ? undefined : origin === 'local',
      states: status === undefined ? [] : [status],
      roles: staff && named ? staff.filter((role) => named.includes(role)) : (staff ?? named),
    };
    return listAdminAccounts(ctx, filter, query);
  },
});

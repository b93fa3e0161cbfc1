import { z } from 'zod';
import { userRole } from '#events/accounts.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { invalid } from '#kernel/errors.ts';
import { idParams } from '#kernel/input.ts';
import { allRoles } from '#mastodon/permissions.ts';
import { adminAccountSchema } from '#mastodon/schemas/index.ts';
import { adminAccountText } from '#queries/admin/accounts/index.ts';
import { giveRole } from '../accounts/index.ts';

/** Mastodon gives roles on web pages, and has no API for it. */
export const updateAccountRole = endpoint({
  method: 'PUT',
  path: '/api/v1/admin/accounts/:id/role',
  summary: 'Give a user a role, or take it away; signs the user out everywhere',
  auth: 'user',
  scopes: ['admin:write:accounts'],
  permission: 'manage_roles',
  params: idParams,
  body: z.object({
    role_id: z
      .string()
      .max(20)
      .nullish()
      .describe(
        'The ID of the role, which is not above your own; -99, the role of everyone, takes a role away.',
      ),
  }),
  requires: ['role_id'],
  reply: adminAccountSchema,
  handler: async (ctx, { params: { id }, body }) => {
    // An unknown account is not found, whatever the body says.
    await adminAccountText(ctx, id);
    const role = allRoles().find((each) => each.id === body.role_id);
    if (!role) throw invalid('There is no such role');
    const name = role.name === '' ? null : userRole.parse(role.name);
    await giveRole(ctx, { accountId: id, role: name, staff: ctx.viewer });
    return { text: await adminAccountText(ctx, id) };
  },
});

export const adminRoleCommands = [updateAccountRole];

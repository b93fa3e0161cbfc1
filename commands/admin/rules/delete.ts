import { z } from 'zod';
import { removeRule } from '#commands/instance/index.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';

/** Mastodon does this on web pages, and has no API for it. */
export const deleteRule = endpoint({
  method: 'DELETE',
  path: '/api/v1/admin/rules/:id',
  summary: 'Remove a rule',
  auth: 'user',
  scopes: ['admin:write'],
  permission: 'manage_rules',
  params: idParams,
  reply: z.strictObject({}),
  handler: async (ctx, { params: { id } }) => {
    await removeRule(ctx, Number(id));
    return { json: {} };
  },
});

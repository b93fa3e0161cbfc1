import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { idParams } from '#kernel/input.ts';
import { ipBlockRows } from '#queries/admin/ip-blocks/index.ts';
import { unblockRange } from './change.ts';

/**
 * Accepts the documented scope, or that of the other endpoints. A block has several ranges only after a stop
 * in a change of its range; a stop here leaves the rest of them, and a repeat lifts these.
 */
export const deleteIpBlock = endpoint({
  method: 'DELETE',
  path: '/api/v1/admin/ip_blocks/:id',
  summary: 'Delete an IP block',
  auth: 'user',
  scopes: ['admin:write:ip_blocks', 'admin:write:domain_blocks'],
  permission: 'manage_blocks',
  params: idParams,
  reply: z.strictObject({}),
  handler: async (ctx, { params: { id } }) => {
    const rows = await ipBlockRows(ctx.db, { id });
    if (rows.length === 0) throw notFound();
    for (const { ip } of rows) await unblockRange(ctx, ip);
    return { json: {} };
  },
});

import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { adminIpBlockSchema } from '#mastodon/schemas/index.ts';
import { ipBlockOf } from '#queries/admin/ip-blocks/index.ts';
import { changeIpBlock } from './change.ts';
import { checkRange, ipBlockInput, rulesOf } from './input.ts';
import { refuseOwnAddress } from './own-address.ts';

/** Omitted fields keep their value. */
export const updateIpBlock = endpoint({
  method: 'PUT',
  path: '/api/v1/admin/ip_blocks/:id',
  summary: 'Update an IP block',
  auth: 'user',
  scopes: ['admin:write:ip_blocks'],
  permission: 'manage_blocks',
  params: idParams,
  body: ipBlockInput,
  reply: adminIpBlockSchema,
  handler: async (ctx, { params: { id }, body }) => {
    const before = await ipBlockOf(ctx.db, { id });
    const given = body.ip?.trim();
    const changes = { ...rulesOf(body, ctx.now), ...(given ? { ip: await checkRange(ctx, given) } : {}) };
    await refuseOwnAddress(ctx, { ...before, ...changes });
    await changeIpBlock(ctx, id, changes);
    return { json: await ipBlockOf(ctx.db, { id }) };
  },
});

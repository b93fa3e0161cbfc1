import { endpoint } from '#kernel/endpoint.ts';
import { adminIpBlockSchema } from '#mastodon/schemas/index.ts';
import { ipBlockOf } from '#queries/admin/ip-blocks/index.ts';
import { blockRange } from './change.ts';
import { ipBlockInput, requireRules, rulesOf } from './input.ts';
import { refuseOwnAddress } from './own-address.ts';

/** The documented default; it matches no client. */
const NOBODY = '0.0.0.0/32';

export const createIpBlock = endpoint({
  method: 'POST',
  path: '/api/v1/admin/ip_blocks',
  summary: 'Block an IP address range from signing up',
  auth: 'user',
  scopes: ['admin:write:ip_blocks'],
  permission: 'manage_blocks',
  body: ipBlockInput,
  requires: ['severity'],
  reply: adminIpBlockSchema,
  handler: async (ctx, { body }) => {
    // As in Mastodon, only a missing parameter gets the default.
    const { ip, severity } = await requireRules(ctx, { ip: NOBODY, ...body });
    const { comment = '', expires_at = null } = rulesOf(body, ctx.now);
    await refuseOwnAddress(ctx, { ip, severity });
    const id = ctx.newId();
    await blockRange(ctx, { ip, id, severity, comment, expires_at });
    return { json: await ipBlockOf(ctx.db, { id }) };
  },
});

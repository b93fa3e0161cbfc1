import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { domainBlockOf } from '#queries/admin/domain-blocks/index.ts';
import { unblockDomain } from './change.ts';

export const deleteDomainBlock = endpoint({
  method: 'DELETE',
  path: '/api/v1/admin/domain_blocks/:id',
  summary: 'Remove a domain block',
  auth: 'user',
  scopes: ['admin:write:domain_blocks'],
  permission: 'manage_federation',
  params: idParams,
  reply: z.strictObject({}),
  handler: async (ctx, { params: { id } }) => {
    const { domain } = await domainBlockOf(ctx.db, { id });
    await unblockDomain(ctx, domain);
    return { json: {} };
  },
});

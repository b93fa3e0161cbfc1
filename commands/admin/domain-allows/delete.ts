import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { domainAllowOf } from '#queries/admin/domain-allows.ts';
import { disallowDomain } from './change.ts';

export const deleteDomainAllow = endpoint({
  method: 'DELETE',
  path: '/api/v1/admin/domain_allows/:id',
  summary: 'Delete an allowed domain',
  auth: 'user',
  scopes: ['admin:write:domain_allows'],
  permission: 'manage_federation',
  params: idParams,
  reply: z.strictObject({}),
  handler: async (ctx, { params: { id } }) => {
    const { domain } = await domainAllowOf(ctx.db, { id });
    await disallowDomain(ctx, domain);
    return { json: {} };
  },
});

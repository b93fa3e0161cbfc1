import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { emailDomainBlockOf } from '#queries/admin/email-domain-blocks/index.ts';
import { unblockEmailDomain } from './change.ts';

export const deleteEmailDomainBlock = endpoint({
  method: 'DELETE',
  path: '/api/v1/admin/email_domain_blocks/:id',
  summary: 'Delete an email domain block',
  auth: 'user',
  scopes: ['admin:write:email_domain_blocks'],
  permission: 'manage_blocks',
  params: idParams,
  reply: z.strictObject({}),
  handler: async (ctx, { params: { id } }) => {
    const { domain } = await emailDomainBlockOf(ctx.db, { id });
    await unblockEmailDomain(ctx, domain);
    return { json: {} };
  },
});

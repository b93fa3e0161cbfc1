import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { formBoolean } from '#kernel/input.ts';
import { domainOf } from '#mastodon/domain-name.ts';
import { adminEmailDomainBlockSchema } from '#mastodon/schemas/index.ts';
import { emailDomainBlockOf } from '#queries/admin/email-domain-blocks/index.ts';
import { blockEmailDomain } from './change.ts';

export const createEmailDomainBlock = endpoint({
  method: 'POST',
  path: '/api/v1/admin/email_domain_blocks',
  summary: 'Block an email domain from signups',
  auth: 'user',
  scopes: ['admin:write:email_domain_blocks'],
  permission: 'manage_blocks',
  body: z.object({
    domain: z.string().max(2_048).nullish().describe('The domain whose e-mail addresses cannot sign up.'),
    allow_with_approval: formBoolean
      .optional()
      .describe('Whether its addresses may sign up with the approval of staff; false by default.'),
  }),
  requires: ['domain'],
  reply: adminEmailDomainBlockSchema,
  handler: async (ctx, { body }) => {
    const domain = domainOf(body.domain ?? '');
    await blockEmailDomain(ctx, { domain, allowWithApproval: body.allow_with_approval === true });
    return { json: await emailDomainBlockOf(ctx.db, { domain }) };
  },
});

import { z } from 'zod';
import { emailDomainBlockOf } from '../../../queries/admin/email-domain-blocks/index.ts';
import { adminEmailDomainBlockSchema } from '../../../src/mastodon/schemas/index.ts';
import { domainOf } from '../../../src/mastodon/domain-name.ts';
import { endpoint } from '../../../src/kernel/endpoint.ts';
import { formBoolean } from '../../../src/kernel/input.ts';
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

import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { domainOf } from '#mastodon/domain-name.ts';
import { adminDomainAllowSchema } from '#mastodon/schemas/index.ts';
import { domainAllowOf } from '#queries/admin/domain-allows.ts';
import { allowDomain } from './change.ts';

/** Allowing a domain again returns the existing allow. */
export const createDomainAllow = endpoint({
  method: 'POST',
  path: '/api/v1/admin/domain_allows',
  summary: 'Allow a domain to federate',
  auth: 'user',
  scopes: ['admin:write:domain_allows'],
  permission: 'manage_federation',
  body: z.object({
    domain: z
      .string()
      .max(2_048)
      .nullish()
      .describe('The domain that may federate with this server in limited federation mode.'),
  }),
  requires: ['domain'],
  reply: adminDomainAllowSchema,
  handler: async (ctx, { body }) => {
    const domain = domainOf(body.domain ?? '');
    await allowDomain(ctx, domain);
    return { json: await domainAllowOf(ctx.db, { domain }) };
  },
});

import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { BLANK, FieldProblems } from '#kernel/field-problems.ts';
import { domainOf } from '#mastodon/domain-name.ts';
import { adminDomainBlockSchema } from '#mastodon/schemas/index.ts';
import { blockDomain } from './change.ts';
import { checkSeverity, rulesInput, rulesOf } from './input.ts';

export const createDomainBlock = endpoint({
  method: 'POST',
  path: '/api/v1/admin/domain_blocks',
  summary: 'Block a domain from federating',
  auth: 'user',
  scopes: ['admin:write:domain_blocks'],
  permission: 'manage_federation',
  body: z.object({
    domain: z.string().max(2_048).nullish().describe('The domain to block, with all its subdomains.'),
    ...rulesInput,
  }),
  requires: ['domain'],
  reply: adminDomainBlockSchema,
  handler: async (ctx, { body }) => {
    const problems = new FieldProblems();
    checkSeverity(body, problems);
    const given = body.domain ?? '';
    if (given.trim() === '') problems.add('domain', BLANK);
    problems.throwIfAny();
    return { json: await blockDomain(ctx, { domain: domainOf(given), rules: rulesOf(body) }) };
  },
});

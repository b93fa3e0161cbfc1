import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { FieldProblems } from '#kernel/field-problems.ts';
import { idParams } from '#kernel/input.ts';
import { adminDomainBlockSchema } from '#mastodon/schemas/index.ts';
import { domainBlockOf } from '#queries/admin/domain-blocks/index.ts';
import { changeDomainBlock } from './change.ts';
import { checkSeverity, rulesInput, rulesOf } from './input.ts';

/** Omitted fields keep their value. */
export const updateDomainBlock = endpoint({
  method: 'PUT',
  path: '/api/v1/admin/domain_blocks/:id',
  summary: 'Update a domain block',
  auth: 'user',
  scopes: ['admin:write:domain_blocks'],
  permission: 'manage_federation',
  params: idParams,
  body: z.object(rulesInput),
  reply: adminDomainBlockSchema,
  handler: async (ctx, { params: { id }, body }) => {
    const { domain } = await domainBlockOf(ctx.db, { id });
    const problems = new FieldProblems();
    checkSeverity(body, problems);
    problems.throwIfAny();
    await changeDomainBlock(ctx, { domain, rules: rulesOf(body) });
    return { json: await domainBlockOf(ctx.db, { domain }) };
  },
});

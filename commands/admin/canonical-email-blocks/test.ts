import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { parameterMissing } from '#kernel/errors.ts';
import { adminCanonicalEmailBlockSchema } from '#mastodon/schemas/index.ts';
import { canonicalEmailBlocksOf } from '#queries/admin/canonical-email-blocks.ts';
import { emailInput, hashOfEmail } from './input.ts';

/** Changes nothing. It is no GET because proxies log queries, and an address must not be in one. */
export const testCanonicalEmail = endpoint({
  method: 'POST',
  path: '/api/v1/admin/canonical_email_blocks/test',
  summary: 'Canonicalize and hash an email address',
  auth: 'user',
  scopes: ['admin:read:canonical_email_blocks'],
  permission: 'manage_blocks',
  onlyReads: true,
  body: z.object({
    email: emailInput.describe('The e-mail address whose canonical form is looked for among the blocks.'),
  }),
  requires: ['email'],
  reply: z.array(adminCanonicalEmailBlockSchema),
  handler: async (ctx, { body }) => {
    if (!body.email?.trim()) throw parameterMissing('email');
    const hash = hashOfEmail(body.email);
    return { json: await canonicalEmailBlocksOf(ctx.db, { hash }) };
  },
});

import { z } from 'zod';
import { canonicalEmailBlockStream } from '#events/canonical-email-blocks.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { adminCanonicalEmailBlockSchema } from '#mastodon/schemas/index.ts';
import { canonicalEmailBlockOf } from '#queries/admin/canonical-email-blocks.ts';
import { canonicalEmailBlock, decideBlock } from './canonical-email-block.ts';
import { emailInput, hashOf } from './input.ts';

export const createCanonicalEmailBlock = endpoint({
  method: 'POST',
  path: '/api/v1/admin/canonical_email_blocks',
  summary: 'Block a canonical email',
  auth: 'user',
  scopes: ['admin:write:canonical_email_blocks'],
  permission: 'manage_blocks',
  body: z.object({
    email: emailInput.describe(
      'An e-mail address whose canonical form is hashed and blocked; it counts before a hash.',
    ),
    canonical_email_hash: z
      .string()
      .max(200)
      .nullish()
      .describe('The SHA-256 of a canonical e-mail address, as 64 hexadecimal digits.'),
  }),
  requires: [['email', 'canonical_email_hash']],
  reply: adminCanonicalEmailBlockSchema,
  handler: async (ctx, { body }) => {
    const hash = hashOf(body);
    const block = { id: ctx.newId(), canonical_email_hash: hash };
    await ctx.execute(canonicalEmailBlockStream(hash), canonicalEmailBlock, (state) =>
      decideBlock(state, block),
    );
    return { json: await canonicalEmailBlockOf(ctx.db, { hash }) };
  },
});

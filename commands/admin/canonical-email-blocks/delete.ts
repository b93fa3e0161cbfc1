import { z } from 'zod';
import { canonicalEmailBlockStream } from '#events/canonical-email-blocks.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { canonicalEmailBlockOf } from '#queries/admin/canonical-email-blocks.ts';
import { canonicalEmailBlock, decideUnblock } from './canonical-email-block.ts';

export const deleteCanonicalEmailBlock = endpoint({
  method: 'DELETE',
  path: '/api/v1/admin/canonical_email_blocks/:id',
  summary: 'Delete a canonical email block',
  auth: 'user',
  scopes: ['admin:write:canonical_email_blocks'],
  permission: 'manage_blocks',
  params: idParams,
  reply: z.strictObject({}),
  handler: async (ctx, { params: { id } }) => {
    const { canonical_email_hash: hash } = await canonicalEmailBlockOf(ctx.db, { id });
    await ctx.execute(canonicalEmailBlockStream(hash), canonicalEmailBlock, (state) =>
      decideUnblock(state, hash),
    );
    return { json: {} };
  },
});

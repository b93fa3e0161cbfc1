import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { canonicalDomain } from '#mastodon/domain-name.ts';
import { followsWith } from './ties.ts';

const count = z.int().min(0);

/**
 * The relationships that a domain block would end: apps ask before the user blocks. Mastodon has this
 * endpoint since 4.3, undocumented, with these scopes.
 */
export const previewDomainBlock = endpoint({
  method: 'GET',
  path: '/api/v1/domain_blocks/preview',
  summary: 'View how many followers and followed accounts blocking a domain would cost you',
  auth: 'user',
  scopes: ['follow', 'write:blocks'],
  query: z.object({
    domain: z.string().max(2_000).default('').describe('The domain that the user thinks of blocking.'),
  }),
  reply: z.strictObject({ following_count: count, followers_count: count }),
  handler: async (ctx, { query }) => {
    const domain = canonicalDomain(query.domain);
    if (domain === undefined) return { json: { following_count: 0, followers_count: 0 } };
    return { json: await followsWith(ctx.db, ctx.viewer.account_id, domain) };
  },
});

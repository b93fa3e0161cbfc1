import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { statement } from '#kernel/read.ts';
import { canonicalDomain } from '#mastodon/domain-name.ts';
import { IS_SHOWN_PEER } from './peers.ts';
import { instanceSettings } from './settings.ts';

/** As many as Mastodon returns. */
const MAX_FOUND = 10;
const BEGINNING = statement<{ domain: string }>(
  'peers_beginning',
  `select k.domain from known_domains k
   where k.domain >= $1 and k.domain < $1 || chr(1114111)
     and ${IS_SHOWN_PEER}
   order by k.domain limit ${MAX_FOUND}`,
);

/** Completes the domain of another server for apps. Mastodon has this endpoint, undocumented. */
export const searchPeers = endpoint({
  method: 'GET',
  path: '/api/v1/peers/search',
  summary: 'Search the domains of other servers that are known here',
  auth: 'public',
  scopes: [],
  query: z.object({ q: z.string().max(500).optional().describe('The beginning of a domain.') }),
  reply: z.array(z.string()),
  handler: async (ctx, { query }) => {
    if (ctx.instance.limitedFederation || !(await instanceSettings(ctx.db)).peers_api_enabled)
      throw notFound();
    const beginning = beginningOf(query.q ?? '');
    if (beginning === undefined) return { json: [] };
    const rows = await ctx.db.query(BEGINNING, [beginning]);
    return { json: rows.map(({ domain }) => domain) };
  },
});

/** A prefix may end with a dot, which is no part of a domain. */
function beginningOf(text: string): string | undefined {
  const beginning = canonicalDomain(text);
  return beginning !== undefined && text.trim().endsWith('.') ? `${beginning}.` : beginning;
}

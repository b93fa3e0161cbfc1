import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { statement } from '#kernel/read.ts';
import { hostName } from '#mastodon/host-name.ts';
import { instanceSettings } from './settings.ts';

/** SQL: a known domain `k` is shown as a peer unless staff block it. */
export const IS_SHOWN_PEER = `not exists (select from domain_blocks b where b.domain in (k.domain, ${hostName('k.domain')}))`;

/** About 1 MB of names. */
const MAX_PEERS = 50_000;
const PEERS = statement<{ domain: string }>(
  'instance_peers',
  `select k.domain from known_domains k where ${IS_SHOWN_PEER}
   order by k.domain limit ${MAX_PEERS}`,
);

/**
 * https://docs.joinmastodon.org/methods/instance/#peers. Without blocked domains; 404 when staff hide the
 * list, as in Mastodon.
 */
export const listPeers = endpoint({
  method: 'GET',
  path: '/api/v1/instance/peers',
  summary: 'View the domains of other servers that are known here',
  auth: 'public',
  scopes: [],
  reply: z.array(z.string()),
  errors: [404],
  handler: async (ctx) => {
    if (!(await instanceSettings(ctx.db)).peers_api_enabled) throw notFound();
    const rows = await ctx.db.query(PEERS);
    return { json: rows.map(({ domain }) => domain) };
  },
});

import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { AccessTo } from '#events/instance.ts';
import type { RequestContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound, signInNeeded } from '#kernel/errors.ts';
import { statement } from '#kernel/read.ts';
import { type DomainBlock, domainBlockSchema } from '#mastodon/schemas/index.ts';
import { instanceSettings } from './settings.ts';

/** Some 5 MB of text. */
const MAX_BLOCKS = 50_000;
const BLOCKS = statement<Row>(
  'instance_domain_blocks',
  `select domain, severity, public_comment, obfuscate from domain_blocks where severity in ('silence', 'suspend')
   order by severity, domain limit ${MAX_BLOCKS}`,
);

interface Row extends Pick<DomainBlock, 'domain' | 'severity'> {
  public_comment: string | null;
  obfuscate: boolean;
}

/**
 * https://docs.joinmastodon.org/methods/instance/#domain_blocks. 404 where the staff keeps the list to itself, 401 for strangers
 * where it is for users; reasons are shown as another setting says.
 */
export const listInstanceDomainBlocks = endpoint({
  method: 'GET',
  path: '/api/v1/instance/domain_blocks',
  summary: 'View which other servers are limited or suspended here',
  auth: 'optional',
  scopes: [],
  reply: z.array(domainBlockSchema),
  errors: [404],
  handler: async (ctx) => {
    const settings = await instanceSettings(ctx.db);
    if (settings.show_domain_blocks === 'disabled') throw notFound();
    if (!isFor(settings.show_domain_blocks, ctx)) throw signInNeeded();
    const reasons = isFor(settings.show_domain_blocks_rationale, ctx);
    const rows = await ctx.db.query(BLOCKS);
    return { json: rows.map((row) => shown(row, reasons)) };
  },
});

const isFor = (whom: AccessTo, { viewer }: RequestContext): boolean =>
  whom === 'all' || (whom === 'users' && viewer !== undefined);

const shown = ({ domain, severity, public_comment, obfuscate }: Row, reasons: boolean): DomainBlock => ({
  domain: obfuscate ? obfuscated(domain) : domain,
  digest: createHash('sha256').update(domain).digest('hex'),
  severity,
  ...(reasons ? { comment: public_comment } : {}),
});

/**
 * Obfuscates a domain so that people who know it recognize it: its first and last quarter stay, and the dots.
 */
function obfuscated(domain: string): string {
  const kept = Math.floor(domain.length / 4);
  return [...domain]
    .map((letter, at) => (at > kept && at < domain.length - kept && letter !== '.' ? '*' : letter))
    .join('');
}

import { domainBlockOf, holdingBlock } from '../../../queries/admin/domain-blocks/index.ts';
import type { AdminDomainBlock } from '../../../src/mastodon/schemas/index.ts';
import { domainBlockStream, type DomainRules } from '../../../src/events/admin-domain-blocks.ts';
import type { CommandContext } from '../../../src/kernel/context.ts';
import { RookeryError } from '../../../src/kernel/errors.ts';
import { decideBlock, decideChange, decideUnblock, domainBlock, isStricter } from './domain-block.ts';

/** The defaults of a new block: https://docs.joinmastodon.org/methods/admin/domain_blocks/#create */
export const DEFAULT_RULES: DomainRules = {
  severity: 'silence',
  reject_media: false,
  reject_reports: false,
  private_comment: null,
  public_comment: null,
  obfuscate: false,
};

/**
 * Blocks a canonical domain and its subdomains. The read models must contain all earlier blocks.
 * @throws RookeryError `invalid` with `existing_domain_block` when an existing block is at least as strict
 */
export async function imposeDomainBlock(
  ctx: CommandContext,
  domain: string,
  given: Partial<DomainRules>,
): Promise<void> {
  const block = { ...DEFAULT_RULES, ...given, id: ctx.newId(), domain };
  const holding = await holdingBlock(ctx.db, domain);
  if (holding && (holding.domain === domain || !isStricter(block, holding))) throw existing(holding);
  await ctx.execute(domainBlockStream(domain), domainBlock, (state) => decideBlock(state, block));
}

/** Does the same. The read models contain it when this resolves. @throws as `imposeDomainBlock` */
export async function blockDomain(
  ctx: CommandContext,
  domain: string,
  given: Partial<DomainRules>,
): Promise<AdminDomainBlock> {
  await imposeDomainBlock(ctx, domain, given);
  return domainBlockOf(ctx.db, { domain });
}

/** @throws RookeryError `not_found` when the domain has no block of its own */
export async function changeDomainBlock(
  ctx: CommandContext,
  domain: string,
  changes: Partial<DomainRules>,
): Promise<void> {
  await ctx.execute(domainBlockStream(domain), domainBlock, (state) => decideChange(state, domain, changes));
}

/** @throws RookeryError `not_found` when the domain has no block of its own */
export async function unblockDomain(ctx: CommandContext, domain: string): Promise<void> {
  await ctx.execute(domainBlockStream(domain), domainBlock, (state) => decideUnblock(state, domain));
}

const existing = (existing_domain_block: AdminDomainBlock): RookeryError =>
  new RookeryError(
    'invalid',
    `You have already imposed stricter limits on ${existing_domain_block.domain}.`,
    {
      members: { existing_domain_block },
    },
  );

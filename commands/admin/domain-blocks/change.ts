import { useCase } from '#commands/use-case.ts';
import { domainBlockStream, type DomainRules } from '#events/admin-domain-blocks.ts';
import type { CommandContext } from '#kernel/context.ts';
import { RookeryError } from '#kernel/errors.ts';
import type { AdminDomainBlock } from '#mastodon/schemas/index.ts';
import { domainBlockOf, holdingBlock } from '#queries/admin/domain-blocks/index.ts';
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

/** The domain is canonical. */
interface GivenRules {
  domain: string;
  rules: Partial<DomainRules>;
}

/**
 * Blocks a domain and its subdomains. The read models must contain all earlier blocks.
 * @throws RookeryError `invalid` with `existing_domain_block` when an existing block is at least as strict
 */
export const imposeDomainBlock = useCase({
  prepare: async (ctx, { domain, rules }: GivenRules) => {
    const block = { ...DEFAULT_RULES, ...rules, id: ctx.newId(), domain };
    const holding = await holdingBlock(ctx.db, domain);
    if (holding && (holding.domain === domain || !isStricter(block, holding))) throw existing(holding);
    return block;
  },
  stream: ({ domain }) => domainBlockStream(domain),
  decider: domainBlock,
  decide: decideBlock,
});

/** Does the same. The read models contain it when this resolves. @throws as `imposeDomainBlock` */
export async function blockDomain(ctx: CommandContext, given: GivenRules): Promise<AdminDomainBlock> {
  await imposeDomainBlock(ctx, given);
  return domainBlockOf(ctx.db, { domain: given.domain });
}

/** @throws RookeryError `not_found` when the domain has no block of its own */
export const changeDomainBlock = useCase({
  stream: ({ domain }: GivenRules) => domainBlockStream(domain),
  decider: domainBlock,
  decide: (state, { domain, rules }) => decideChange(state, domain, rules),
});

/** @throws RookeryError `not_found` when the domain has no block of its own */
export const unblockDomain = useCase({
  stream: domainBlockStream,
  decider: domainBlock,
  decide: decideUnblock,
});

const existing = (existing_domain_block: AdminDomainBlock): RookeryError =>
  new RookeryError(
    'invalid',
    `You have already imposed stricter limits on ${existing_domain_block.domain}.`,
    { members: { existing_domain_block } },
  );

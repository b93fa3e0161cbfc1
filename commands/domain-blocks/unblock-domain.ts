import { endpoint } from '#kernel/endpoint.ts';
import { canonicalDomain } from '#mastodon/domain-name.ts';
import { useCase } from '../use-case.ts';
import { decideUnblockDomain, type DomainBlock, domainBlock, streamOfBlock } from './domain-block.ts';
import { domainEndpoint } from './shared.ts';

export const unblockDomain = endpoint({
  ...domainEndpoint,
  requires: [],
  method: 'DELETE',
  path: '/api/v1/domain_blocks',
  summary: 'Unblock a domain',
  handler: async (ctx, { body }) => {
    const domain = canonicalDomain(body.domain ?? '');
    // Text that is no domain cannot be blocked.
    if (domain === undefined) return { json: {} };
    await unblockDomainAs(ctx, { account_id: ctx.viewer.account_id, domain });
    return { json: {} };
  },
});

/** The domain is canonical. */
export const unblockDomainAs = useCase({
  prepare: async (ctx, block: DomainBlock) => ({ block, stream: await streamOfBlock(ctx, block) }),
  stream: ({ stream }) => stream,
  decider: domainBlock,
  decide: (state, { block }) => decideUnblockDomain(state, block),
});

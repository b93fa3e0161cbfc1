import { endpoint } from '#kernel/endpoint.ts';
import { domainOf } from '#mastodon/domain-name.ts';
import { useCase } from '../use-case.ts';
import { decideBlockDomain, type DomainBlock, domainBlock, streamOfBlock } from './domain-block.ts';
import { domainEndpoint } from './shared.ts';

/**
 * Hides a server from the user immediately. As in Mastodon since 4.3, follows and requests between its users
 * and this user end in both directions, and a notification counts them; a reactor does that
 * (`severFromAccount`).
 */
export const blockDomain = endpoint({
  ...domainEndpoint,
  method: 'POST',
  path: '/api/v1/domain_blocks',
  summary: 'Block a domain',
  handler: async (ctx, { body }) => {
    await blockDomainAs(ctx, { account_id: ctx.viewer.account_id, domain: domainOf(body.domain ?? '') });
    return { json: {} };
  },
});

/** The domain is canonical. */
export const blockDomainAs = useCase({
  prepare: async (ctx, block: DomainBlock) => ({
    block: { id: ctx.newId(), ...block },
    stream: await streamOfBlock(ctx, block),
  }),
  stream: ({ stream }) => stream,
  decider: domainBlock,
  decide: (state, { block }) => decideBlockDomain(state, block),
});

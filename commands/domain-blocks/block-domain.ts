import { userDomainBlockStream } from '../../src/events/domain-blocks.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { useCase } from '../use-case.ts';
import { decideBlockDomain, domainBlock, type DomainBlock } from './domain-block.ts';
import { domainOf } from '../../src/mastodon/domain-name.ts';
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
  prepare: ({ newId }, { account_id, domain }: DomainBlock) => ({ id: newId(), account_id, domain }),
  stream: ({ account_id, domain }) => userDomainBlockStream(account_id, domain),
  decider: domainBlock,
  decide: decideBlockDomain,
});

import { userDomainBlockStream } from '../../src/events/domain-blocks.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { decideBlockDomain, domainBlock } from './domain-block.ts';
import { domainOf } from '../../src/kernel/domain-name.ts';
import { domainEndpoint } from './shared.ts';

/**
 * Hides a server from the user at once. As in Mastodon since 4.3, follows and requests between its people and the user end, both
 * ways, and the user is told how many: a reactor sees to that (`severFromAccount`).
 */
export const blockDomain = endpoint({
  ...domainEndpoint,
  method: 'POST',
  path: '/api/v1/domain_blocks',
  summary: 'Block a domain',
  handler: async (ctx, { body }) => {
    const block = { id: ctx.newId(), account_id: ctx.viewer.account_id, domain: domainOf(body.domain ?? '') };
    await ctx.execute(userDomainBlockStream(block.account_id, block.domain), domainBlock, (state) =>
      decideBlockDomain(state, block),
    );
    await ctx.settle([MAIN]);
    return { json: {} };
  },
});

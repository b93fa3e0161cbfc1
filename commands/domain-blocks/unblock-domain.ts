import { userDomainBlockStream } from '../../src/events/domain-blocks.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { decideUnblockDomain, domainBlock } from './domain-block.ts';
import { domainOf } from '../../src/kernel/domain-name.ts';
import { domainEndpoint } from './shared.ts';

export const unblockDomain = endpoint({
  ...domainEndpoint,
  method: 'DELETE',
  path: '/api/v1/domain_blocks',
  summary: 'Unblock a domain',
  handler: async (ctx, { body }) => {
    const block = { account_id: ctx.viewer.account_id, domain: domainOf(body.domain ?? '') };
    await ctx.execute(userDomainBlockStream(block.account_id, block.domain), domainBlock, (state) =>
      decideUnblockDomain(state, block),
    );
    await ctx.settle([MAIN]);
    return { json: {} };
  },
});

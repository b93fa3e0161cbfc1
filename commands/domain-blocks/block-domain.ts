import { userDomainBlockStream } from '../../src/events/domain-blocks.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { decideBlockDomain, domainBlock } from './domain-block.ts';
import { domainOf } from '../../src/kernel/domain-name.ts';
import { domainEndpoint } from './shared.ts';

/**
 * Hides a server from the user at once. Its people follow the user no more, and their requests are rejected: a reactor sees
 * to that (`turnAway`). Whom the user follows there stays followed, unseen.
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

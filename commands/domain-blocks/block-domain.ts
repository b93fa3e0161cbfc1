import { userDomainBlockStream } from '../../src/events/domain-blocks.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { decideBlockDomain, domainBlock, type DomainBlock } from './domain-block.ts';
import { domainOf } from '../../src/mastodon/domain-name.ts';
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
    await blockDomainAs(ctx, { account_id: ctx.viewer.account_id, domain: domainOf(body.domain ?? '') });
    return { json: {} };
  },
});

/** The domain is canonical. */
export async function blockDomainAs(ctx: CommandContext, { account_id, domain }: DomainBlock): Promise<void> {
  const block = { id: ctx.newId(), account_id, domain };
  await ctx.execute(userDomainBlockStream(account_id, domain), domainBlock, (state) =>
    decideBlockDomain(state, block),
  );
}

import { visitorsFrom } from '../../queries/domain-blocks/index.ts';
import { userDomainBlockStream } from '../../src/events/domain-blocks.ts';
import { relationshipStream } from '../../src/events/relationships.ts';
import type { UserContext } from '../../src/kernel/context.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { decideTurnAway, relationship } from '../relationships/index.ts';
import { decideBlockDomain, domainBlock } from './domain-block.ts';
import { domainOf } from './domain.ts';
import { domainEndpoint } from './shared.ts';

/** Followers that are turned away at once: few enough for memory, enough that appends share commits. */
const BATCH = 100;

/**
 * Hides a server from the user. Its people follow the user no more, and their requests are rejected; whom the user follows
 * there stays followed, unseen. The block holds from its event on. Should the process end while followers are turned
 * away, blocking again goes on with it.
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
    await turnAwayVisitors(ctx, block.domain);
    await ctx.settle([MAIN]);
    return { json: {} };
  },
});

/** Each in the stream of its pair, so it may be repeated. */
async function turnAwayVisitors(ctx: UserContext, domain: string): Promise<void> {
  const me = ctx.viewer.account_id;
  for (let after = '0'; ;) {
    const visitors = await visitorsFrom(ctx.db, me, domain, after, BATCH);
    await Promise.all(
      visitors.map((visitor) =>
        ctx.execute(
          relationshipStream(me, visitor),
          relationship,
          (state) => decideTurnAway(state, { account_id: me, target_account_id: visitor }),
          { step: `turn away ${visitor}` },
        ),
      ),
    );
    const last = visitors.at(-1);
    if (last === undefined || visitors.length < BATCH) return;
    after = last;
  }
}

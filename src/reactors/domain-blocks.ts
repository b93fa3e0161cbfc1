import { turnAway } from '../../commands/domain-blocks/index.ts';
import { UserDomainBlocked } from '../events/domain-blocks.ts';
import { MAIN } from '../kernel/projection.ts';
import { reactor } from '../kernel/reactor.ts';

/** Whoever blocks a domain has no followers there any more. */
export const blockedDomains = reactor({
  name: 'blocked-domains',
  on: [UserDomainBlocked],
  react: async (ctx, { data }, { signal }) => {
    await ctx.settle([MAIN]);
    await turnAway(ctx, data, signal);
  },
});

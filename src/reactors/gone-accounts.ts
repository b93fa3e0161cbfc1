import { clearAfter } from '../../commands/federation/index.ts';
import { RemoteAccountGone } from '../events/accounts.ts';
import { MAIN } from '../kernel/projection.ts';
import { reactor } from '../kernel/reactor.ts';

/** Nothing is left of an account that its own server deleted. */
export const goneAccounts = reactor({
  name: 'gone-accounts',
  on: [RemoteAccountGone],
  react: async (ctx, { data }, { signal }) => {
    await ctx.settle([MAIN]);
    await clearAfter(ctx, data.account_id, signal);
  },
});

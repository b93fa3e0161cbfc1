import { followAlong } from '../../commands/accounts/index.ts';
import { AccountMoved } from '../events/accounts.ts';
import { MAIN } from '../kernel/projection.ts';
import { reactor } from '../kernel/reactor.ts';

/** Whoever followed an account that has moved follows the new one instead. */
export const movedAccounts = reactor({
  name: 'moved-accounts',
  on: [AccountMoved],
  react: async (ctx, { data }, { signal }) => {
    await ctx.settle([MAIN]);
    await followAlong(ctx, data, signal);
  },
});

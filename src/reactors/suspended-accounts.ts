import { endFollowsOf } from '#commands/federation/index.ts';
import { AccountSuspended } from '#events/accounts.ts';
import { reactor } from '#kernel/reactor.ts';
import { namedAccounts } from '#queries/federation/index.ts';

/** Ends the follows by a remote account that staff suspends, as Mastodon does. */
export const suspendedAccounts = reactor({
  name: 'suspended-accounts',
  on: [AccountSuspended],
  react: async (ctx, { data }, { signal }) => {
    const suspended = (await namedAccounts(ctx.db, [data.account_id])).get(data.account_id);
    if (suspended && suspended.domain !== null) await endFollowsOf(ctx, suspended.id, signal);
  },
});

import { acceptWaiting } from '../../commands/follow-requests/index.ts';
import { AccountUpdated } from '../events/accounts.ts';
import { idAt } from '../kernel/ids.ts';
import { reactor } from '../kernel/reactor.ts';

/** Whoever unlocks his account accepts all who were waiting, as in Mastodon; not those who ask after he locked it again. */
export const unlockedAccounts = reactor({
  name: 'unlocked-accounts',
  on: [AccountUpdated],
  react: async (ctx, { data, metadata }, { signal }) => {
    if (data.locked !== false) return;
    await acceptWaiting(ctx, data.id, { signal, before: idAt(Date.parse(metadata.time) + 1) });
  },
});

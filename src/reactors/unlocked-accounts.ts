import { acceptWaiting } from '#commands/follow-requests/index.ts';
import { AccountUpdated } from '#events/accounts.ts';
import { idAt } from '#kernel/ids.ts';
import { reactor } from '#kernel/reactor.ts';

/**
 * Accepts all waiting follow requests when a user unlocks their account, as in Mastodon. Later requests wait
 * if it is locked again.
 */
export const unlockedAccounts = reactor({
  name: 'unlocked-accounts',
  on: [AccountUpdated],
  react: async (ctx, { data, metadata }, { signal }) => {
    if (data.locked !== false) return;
    await acceptWaiting(ctx, data.id, { signal, before: idAt(Date.parse(metadata.time) + 1) });
  },
});

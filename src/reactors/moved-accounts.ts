import { moveFollows, moveNotes, moveBlocksAndMutes } from '../../commands/moves/index.ts';
import { AccountMoved } from '../events/moves.ts';
import { reactor } from '../kernel/reactor.ts';

/**
 * Whoever followed an account that has moved follows the new one instead; who blocks or mutes it, or noted something about it, does so
 * to the new one as well.
 */
export const movedAccounts = reactor({
  name: 'moved-accounts',
  on: [AccountMoved],
  // Who only says where he is now takes nobody along.
  ignores: ({ data }) => !data.with_followers,
  react: async (ctx, { data }, { signal }) => {
    // First: who is taken along has not chosen the new account.
    await moveBlocksAndMutes(ctx, data, signal);
    await moveNotes(ctx, data, signal);
    await moveFollows(ctx, data, signal);
  },
});

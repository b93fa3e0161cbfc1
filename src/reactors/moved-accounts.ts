import { moveBlocksAndMutes, moveFollows, moveNotes } from '#commands/moves/index.ts';
import { AccountMoved } from '#events/moves.ts';
import { reactor } from '#kernel/reactor.ts';

/** Moves local followers of a moved account to the new one; copies blocks, mutes and notes as well. */
export const movedAccounts = reactor({
  name: 'moved-accounts',
  on: [AccountMoved],
  // A redirect moves no followers.
  ignores: ({ data }) => !data.with_followers,
  react: async (ctx, { data }, { signal }) => {
    // First, because followers who are moved did not choose the new account themselves.
    await moveBlocksAndMutes(ctx, data, signal);
    await moveNotes(ctx, data, signal);
    await moveFollows(ctx, data, signal);
  },
});

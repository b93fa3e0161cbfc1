import { refreshProfileLater } from '#commands/federation/index.ts';
import { FollowRequested } from '#events/relationships.ts';
import { reactor } from '#kernel/reactor.ts';
import { remoteUriOf } from '#queries/federation/index.ts';

/** Refreshes the profile of a remote account that a local account asks to follow. */
export const followedProfiles = reactor({
  name: 'followed-profiles',
  on: [FollowRequested],
  react: async (ctx, { data }) => {
    const uri = await remoteUriOf(ctx.db, data.target_account_id);
    if (uri !== undefined) await refreshProfileLater(ctx, { accountId: data.target_account_id, uri });
  },
});

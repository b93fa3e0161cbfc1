import { relationshipStream } from '#events/relationships.ts';
import { forEachBelow } from '#kernel/batches.ts';
import type { CommandContext } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { followersToMove, type FollowerToMove } from '#queries/accounts/index.ts';
import { moveMember } from '../lists/index.ts';
import {
  changeRelationship,
  decideMoveFollow,
  decideUnfollow,
  directionOf,
  type Follow,
  relationship,
} from '../relationships/index.ts';

interface Move {
  account_id: Id;
  target_account_id: Id;
}

/**
 * Moves the local followers of a moved account to the new one, each in the streams of its pairs, and updates
 * their lists. A local target is not asked again; remote ones decide for themselves. Followers who may not
 * follow the new account stay with the old one. May be repeated: it continues with the rest. The read models
 * must hold the move.
 */
export async function moveFollows(ctx: CommandContext, move: Move, signal: AbortSignal): Promise<void> {
  await forEachBelow(
    (before, limit) => followersToMove(ctx.db, move, before, limit),
    (follower) => moveFollow(ctx, follower, move),
    { signal },
  );
}

async function moveFollow(ctx: CommandContext, follower: FollowerToMove, move: Move): Promise<void> {
  const { account_id, settings, target, list_ids } = follower;
  const command = { id: ctx.newId(), account_id, target_account_id: move.target_account_id, settings };
  // The limit does not apply, because the followers did not choose this follow.
  const facts = { target, following: 0, followers: 0 };
  let tie: Follow | undefined;
  try {
    const { state } = await ctx.execute(
      relationshipStream(account_id, command.target_account_id),
      relationship,
      (state) => decideMoveFollow(state, command, facts),
    );
    const { following, requested } = directionOf(state, account_id);
    tie = following ?? requested;
  } catch (error) {
    if (isRookeryError(error) && (error.code === 'forbidden' || error.code === 'not_found')) return;
    throw error;
  }
  if (tie) {
    const change = {
      from: { account_id: move.account_id, follow_id: follower.id },
      to: { account_id: move.target_account_id, follow_id: tie.id },
    };
    await Promise.all(
      list_ids.map((listId) => moveMember(ctx, { accountId: account_id, listId, ...change })),
    );
  }
  const old = { account_id, target_account_id: move.account_id };
  await changeRelationship(ctx, old, decideUnfollow);
}

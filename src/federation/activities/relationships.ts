import type { Pair } from '../../../commands/relationships/index.ts';
import { followUriOf, isFollowing, type NamedAccount } from '../../../queries/federation/index.ts';
import type { CommandContext } from '../../kernel/context.ts';
import { actingPair, plainActivity, undo, type Activity, type Outgoing } from './outgoing.ts';

type Make = (sender: NamedAccount, other: NamedAccount, ctx: CommandContext) => Activity | Promise<Activity>;

/** From one account to the inbox of another; nothing where the one is not ours, or the other is. */
const between = (senderId: string, otherId: string, make: Make): Outgoing => ({
  sender: senderId,
  audience: { accounts: [otherId], personally: true },
  compose: async (ctx) => {
    const pair = await actingPair(ctx, senderId, otherId);
    return pair && plainActivity(await make(pair.sender, pair.other, ctx));
  },
});

const toTarget = ({ account_id, target_account_id }: Pair, make: Make): Outgoing =>
  between(account_id, target_account_id, make);
/** Back to who follows, or asked to. */
const toFollower = ({ account_id, target_account_id }: Pair, make: Make): Outgoing =>
  between(target_account_id, account_id, make);

const followActivity: Make = ({ uri: actor }, { id, uri: object }) => ({
  id: `${actor}#follows/${id}`,
  type: 'Follow',
  actor,
  object,
});
const blockActivity: Make = ({ uri: actor }, { id, uri: object }) => ({
  id: `${actor}#blocks/${id}`,
  type: 'Block',
  actor,
  object,
});
const undone =
  (make: Make): Make =>
  async (...parties) =>
    undo(await make(...parties));

/** The answer to a follow, which is told again with it: https://www.w3.org/TR/activitypub/#accept-activity-inbox */
const answer =
  (type: 'Accept' | 'Reject'): Make =>
  async ({ id: followeeId, uri: actor }, { id: followerId, uri: follower }, ctx) => {
    const followId = await followUriOf(ctx.db, followerId, followeeId);
    return {
      id: `${actor}#${type.toLowerCase()}s/follows/${followerId}`,
      type,
      actor,
      object: {
        ...(followId === null ? {} : { id: followId }),
        type: 'Follow',
        actor: follower,
        object: actor,
      },
    };
  };

export const followRequest = (pair: Pair): Outgoing[] => [toTarget(pair, followActivity)];
/** Of two of ours neither goes out; of an account elsewhere we ask, and to one that follows ours we say that it does. */
export const follow = (pair: Pair): Outgoing[] => [...followRequest(pair), ...acceptance(pair)];
export const acceptance = (pair: Pair): Outgoing[] => [toFollower(pair, answer('Accept'))];
/** It was asked once more, for the first answer may have been lost. What is asked of a locked account still waits. */
export const acceptanceAgain = (pair: Pair): Outgoing[] =>
  acceptance(pair).map((outgoing) => ({
    ...outgoing,
    compose: async (ctx) => {
      const isFollow = await isFollowing(ctx.db, pair.account_id, pair.target_account_id);
      return isFollow ? outgoing.compose(ctx) : undefined;
    },
  }));
export const rejection = (pair: Pair): Outgoing[] => [toFollower(pair, answer('Reject'))];
export const withdrawal = (pair: Pair): Outgoing[] => [toTarget(pair, undone(followActivity))];
/** The follower leaves, or is removed. */
export const unfollow = (pair: Pair): Outgoing[] => [...withdrawal(pair), ...rejection(pair)];
export const block = (pair: Pair): Outgoing[] => [toTarget(pair, blockActivity)];
export const unblock = (pair: Pair): Outgoing[] => [toTarget(pair, undone(blockActivity))];

import type { Pair } from '#commands/relationships/index.ts';
import type { CommandContext } from '#kernel/context.ts';
import { followUriOf, isFollowing, type NamedAccount } from '#queries/federation/index.ts';
import { actingPair, type Activity, type Outgoing, plainActivity, undo } from './outgoing.ts';

type Make = (sender: NamedAccount, other: NamedAccount, ctx: CommandContext) => Activity | Promise<Activity>;

/**
 * Returns an activity from one account to the inbox of another, if the sender is local and the recipient is
 * remote.
 */
const between = (senderId: string, otherId: string, make: Make): Outgoing => ({
  sender: senderId,
  audience: { accounts: [otherId], personally: true },
  compose: async (ctx) => {
    const pair = await actingPair(ctx, senderId, otherId);
    return pair && plainActivity(await make(pair.sender, pair.other, ctx));
  },
});

/** A pair, and the id of the relationship, such as a follow; old events lack it. */
type Tie = Pair & { id?: string | undefined };

const toTarget = ({ account_id, target_account_id }: Pair, make: Make): Outgoing =>
  between(account_id, target_account_id, make);
/** To the account that follows or asked to. */
const toFollower = ({ account_id, target_account_id }: Pair, make: Make): Outgoing =>
  between(target_account_id, account_id, make);

/** Many servers ignore an activity with a known id: each follow and each answer has its own. */
const followActivity =
  ({ id: followId }: Tie): Make =>
  ({ uri: actor }, { id, uri: object }) => ({
    id: `${actor}#follows/${id}${followId === undefined ? '' : `/${followId}`}`,
    type: 'Follow',
    actor,
    object,
  });
const blockActivity =
  ({ id: blockId }: Tie): Make =>
  ({ uri: actor }, { id, uri: object }) => ({
    id: `${actor}#blocks/${blockId ?? id}`,
    type: 'Block',
    actor,
    object,
  });
const undone =
  (make: Make): Make =>
  async (...parties) =>
    undo(await make(...parties));

/**
 * The answer to a follow, which contains the follow; `change` distinguishes it from other answers.
 * https://www.w3.org/TR/activitypub/#accept-activity-inbox
 */
const answer =
  (type: 'Accept' | 'Reject', change: string): Make =>
  async ({ id: followeeId, uri: actor }, { id: followerId, uri: follower }, ctx) => {
    const followId = await followUriOf(ctx.db, followerId, followeeId);
    return {
      id: `${actor}#${type.toLowerCase()}s/follows/${change}`,
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

export const followRequest = (tie: Tie): Outgoing[] => [toTarget(tie, followActivity(tie))];
/**
 * Sends nothing between two local accounts, a request to a remote target, and the acceptance to a remote
 * follower.
 */
export const follow = (tie: Tie, change: string): Outgoing[] => [
  ...followRequest(tie),
  ...acceptance(tie, change),
];
export const acceptance = (pair: Pair, change: string): Outgoing[] => [
  toFollower(pair, answer('Accept', change)),
];
/**
 * Answers a repeated request, because the first answer may be lost. Requests to a locked account still wait.
 */
export const acceptanceAgain = (pair: Pair, change: string): Outgoing[] =>
  acceptance(pair, change).map((outgoing) => ({
    ...outgoing,
    compose: async (ctx) => {
      const isFollow = await isFollowing(ctx.db, pair.account_id, pair.target_account_id);
      return isFollow ? outgoing.compose(ctx) : undefined;
    },
  }));
export const rejection = (pair: Pair, change: string): Outgoing[] => [
  farewell(toFollower(pair, answer('Reject', change))),
];
export const withdrawal = (tie: Tie): Outgoing[] => [farewell(toTarget(tie, undone(followActivity(tie))))];
/** The end of a follow also goes to suspended servers, because the suspension may have caused it. */
const farewell = (outgoing: Outgoing): Outgoing => ({
  ...outgoing,
  audience: { ...outgoing.audience, farewell: true },
});
/** The follower leaves, or is removed. */
export const unfollow = (tie: Tie, change: string): Outgoing[] => [
  ...withdrawal(tie),
  ...rejection(tie, change),
];
export const block = (tie: Tie): Outgoing[] => [toTarget(tie, blockActivity(tie))];
export const unblock = (tie: Tie): Outgoing[] => [toTarget(tie, undone(blockActivity(tie)))];

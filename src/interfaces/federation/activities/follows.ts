import type { Pair } from '../../../../commands/relationships/index.ts';
import { followUriOf, isFollowing, type NamedAccount } from '../../../../queries/federation/index.ts';
import type { CommandContext } from '../../../kernel/context.ts';
import { actingPair, plainActivity, undo, type Activity, type Outgoing } from './outgoing.ts';

type Make = (sender: NamedAccount, other: NamedAccount, ctx: CommandContext) => Activity | Promise<Activity>;

/**
 * Returns an activity from one account to the inbox of another; only a local sender and a remote recipient
 * give one.
 */
const between = (senderId: string, otherId: string, make: Make): Outgoing => ({
  sender: senderId,
  audience: { accounts: [otherId], personally: true },
  compose: async (ctx) => {
    const pair = await actingPair(ctx, senderId, otherId);
    return pair && plainActivity(await make(pair.sender, pair.other, ctx));
  },
});

/** A pair, and the id of what is between the two, such as a follow; of what ended before ids were kept there is none. */
type Tie = Pair & { id?: string | undefined };

const toTarget = ({ account_id, target_account_id }: Pair, make: Make): Outgoing =>
  between(account_id, target_account_id, make);
/** Back to who follows, or asked to. */
const toFollower = ({ account_id, target_account_id }: Pair, make: Make): Outgoing =>
  between(target_account_id, account_id, make);

/** Many servers drop what comes under a name that they have seen: each follow and each answer has its own. */
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
 * The answer to a follow, which is told again with it; `change` tells this answer from others.
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
 * Nothing is sent between two local accounts; a remote target is asked, and a remote follower is sent the
 * acceptance.
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
/** The end of a follow: staff may have suspended the other server, which ends it. */
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

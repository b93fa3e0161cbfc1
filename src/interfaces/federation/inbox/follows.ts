import {
  applyRemoteBlock,
  applyRemoteFollow,
  applyRemoteFollowAnswer,
  undoRemoteBlock,
  undoRemoteFollow,
} from '#commands/federation/index.ts';
import { changedAnything } from '#commands/use-case.ts';
import type { Id } from '#kernel/ids.ts';
import { type Foreign, idOf, isObject, typesOf } from '../remote/json.ts';
import { type ActivityContext, type Handler, localAccountIn, senderOf } from './activity-context.ts';
import { followedByRelay } from './relays.ts';

/** https://www.w3.org/TR/activitypub/#follow-activity-inbox */
export const follow: Handler = async (context) => {
  if (await followedByRelay(context)) return;
  const target = await localAccountIn(context, context.activity.object);
  if (target === undefined) return;
  const pair = { account_id: await senderOf(context), target_account_id: target };
  await applyRemoteFollow(context.ctx, { ...pair, uri: context.activity.id });
};

/** Returns whether there was one to undo. */
export async function undoFollow(context: ActivityContext, senderId: Id, undone: Foreign): Promise<boolean> {
  const target = await localAccountIn(context, undone['object']);
  if (target === undefined) return false;
  const pair = { account_id: senderId, target_account_id: target };
  return changedAnything(undoRemoteFollow(context.ctx, { ...pair, uri: idOf(undone) ?? null }));
}

/**
 * Handles `Accept` and `Reject` of a local user's follow. Only its target can answer it, and only the follow
 * that was requested (CVE-2025-30741).
 */
export const answerTo =
  (answer: 'accept' | 'reject'): Handler =>
  async (context) => {
    const { ctx, known } = context;
    const follower = known && (await followerIn(context, known.id, context.activity.object));
    if (!known || follower === undefined) return;
    await applyRemoteFollowAnswer(ctx, { account_id: follower, target_account_id: known.id, answer });
  };

/**
 * The URI of a local follow: the follower's URI, the id of the target and, except for the oldest, the id of
 * the follow.
 */
const OWN_FOLLOW = /^([^#]*)#follows\/([0-9]{1,19})(?:\/[0-9]{1,19})?$/;

/** Undoes an `Accept`, which ends the follow. Returns whether there was one. */
export async function undoAccept(context: ActivityContext, senderId: Id, undone: Foreign): Promise<boolean> {
  const follower = await followerIn(context, senderId, undone['object']);
  if (follower === undefined) return false;
  const pair = { account_id: follower, target_account_id: senderId };
  return changedAnything(applyRemoteFollowAnswer(context.ctx, { ...pair, answer: 'reject' }));
}

/** Returns the local account that asked to follow the sender, by the answered follow. */
async function followerIn(context: ActivityContext, senderId: Id, object: unknown): Promise<Id | undefined> {
  const { actor } = context.activity;
  if (isObject(object) && object['actor'] !== undefined) {
    const isOfSender = typesOf(object).includes('Follow') && idOf(object['object']) === actor;
    return isOfSender ? localAccountIn(context, object['actor']) : undefined;
  }
  const [, follower, target] = OWN_FOLLOW.exec(idOf(object) ?? '') ?? [];
  return target === senderId ? localAccountIn(context, follower) : undefined;
}

/** https://docs.joinmastodon.org/spec/activitypub/#Block */
export const block: Handler = async (context) => {
  const target = await localAccountIn(context, context.activity.object);
  if (target === undefined) return;
  const pair = { account_id: await senderOf(context), target_account_id: target };
  await applyRemoteBlock(context.ctx, { ...pair, uri: context.activity.id });
};

/** Returns whether there was one to undo. */
export async function undoBlock(context: ActivityContext, senderId: Id, undone: Foreign): Promise<boolean> {
  const target = await localAccountIn(context, undone['object']);
  if (target === undefined) return false;
  return changedAnything(undoRemoteBlock(context.ctx, { account_id: senderId, target_account_id: target }));
}

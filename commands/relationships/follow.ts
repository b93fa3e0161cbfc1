import type { RelationshipEvent } from '#events/relationships.ts';
import { forbidden, invalid, notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { FollowFacts } from '#queries/accounts/index.ts';
import {
  directionOf,
  type Follow,
  type FollowSettings,
  isSelf,
  type Pair,
  type RelationshipState,
  reverse,
} from './relationship.ts';

export interface FollowCommand extends Pair {
  /** The id of a new follow or request. */
  id: Id;
  /** Only the requested settings; the others keep their value or default. */
  settings: Partial<FollowSettings>;
}

const DEFAULTS: FollowSettings = { reblogs: true, notify: false, languages: null };

/**
 * Above this number, the limit of follows depends on the number of followers.
 * https://docs.joinmastodon.org/admin/config/#max_follows_threshold
 */
const MAX_FOLLOWS_THRESHOLD = 7_500;
const MAX_FOLLOWS_RATIO = 1.1;

/** Returns how many accounts an account may follow. */
export const followLimit = (followers: number): number =>
  Math.max(MAX_FOLLOWS_THRESHOLD, Math.round(followers * MAX_FOLLOWS_RATIO));

/** @throws RookeryError `invalid` past the limit */
export function checkFollowLimit(following: number, followers: number): void {
  const limit = followLimit(followers);
  if (following > limit) throw invalid(`Validation failed: You cannot follow more than ${limit} people`);
}

/**
 * Follows, or requests to; changes the settings of an existing one. A locked account is asked, and so is a
 * remote one, since its server decides.
 * @throws RookeryError `not_found` for an account that cannot be followed; `forbidden` for oneself, for a
 * moved account, and when either blocks the other or the other's server, without saying which; `invalid` past
 * the limit
 */
export function decideFollow(
  state: RelationshipState,
  { id, settings, ...pair }: FollowCommand,
  facts: FollowFacts,
): RelationshipEvent[] {
  const { target } = facts;
  if (isSelf(pair)) throw forbidden('Following your own account is not allowed');
  if (!target || target.suspended) throw notFound();
  const mine = directionOf(state, pair.account_id);
  const theirs = directionOf(state, pair.target_account_id);
  if (mine.blocking || theirs.blocking || target.domain_blocked || target.moved) throw forbidden();
  const existing = mine.following ?? mine.requested;
  if (existing) {
    const changed = { ...existing.settings, ...settings };
    if (sameSettings(existing.settings, changed)) return [];
    return [{ type: 'FollowSettingsChanged', data: { ...pair, ...changed } }];
  }
  checkFollowLimit(facts.following + 1, facts.followers);
  const data = { id, ...pair, ...DEFAULTS, ...settings };
  return [{ type: target.locked || !target.local ? 'FollowRequested' : 'AccountFollowed', data }];
}

/**
 * Follows the new account of a moved one, with the settings of the old follow; an existing follow or request
 * keeps its own. @throws as `decideFollow`
 */
export function decideMoveFollow(
  state: RelationshipState,
  command: FollowCommand,
  facts: FollowFacts,
): RelationshipEvent[] {
  const { following, requested } = directionOf(state, command.account_id);
  return following || requested ? [] : decideFollow(state, command, facts);
}

/**
 * Ends a follow with everything that depends on it, or withdraws a request. Decides nothing without either.
 */
export function decideUnfollow(state: RelationshipState, pair: Pair): RelationshipEvent[] {
  const { following, requested, endorsing } = directionOf(state, pair.account_id);
  if (requested) return [{ type: 'FollowRequestWithdrawn', data: { ...pair, id: requested.id } }];
  if (!following) return [];
  const unfollowed: RelationshipEvent = { type: 'AccountUnfollowed', data: { ...pair, id: following.id } };
  return endorsing ? [unfollowed, { type: 'AccountUnendorsed', data: pair }] : [unfollowed];
}

/** Ends the follow of the pair's target. Its request stays, because that needs an answer. */
export function decideRemoveFromFollowers(state: RelationshipState, pair: Pair): RelationshipEvent[] {
  const { following } = directionOf(state, pair.target_account_id);
  return following ? decideUnfollow(state, reverse(pair)) : [];
}

/** Ends a follow or a request of the pair's target. */
function decideTurnAway(state: RelationshipState, pair: Pair): RelationshipEvent[] {
  const { requested } = directionOf(state, pair.target_account_id);
  if (requested) return [{ type: 'FollowRequestRejected', data: reverse(pair) }];
  return decideRemoveFromFollowers(state, pair);
}

/** Ends follows and requests in both directions. */
export function decideSever(state: RelationshipState, pair: Pair): RelationshipEvent[] {
  return [...decideUnfollow(state, pair), ...decideTurnAway(state, pair)];
}

/** `pair.account_id` is the requester. @throws RookeryError `not_found` without a request */
export function decideAuthorize(state: RelationshipState, pair: Pair): RelationshipEvent[] {
  const { id, settings } = requestOf(state, pair);
  return [{ type: 'FollowRequestAuthorized', data: { id, ...pair, ...settings } }];
}

/** `pair.account_id` is the requester. @throws RookeryError `not_found` without a request */
export function decideReject(state: RelationshipState, pair: Pair): RelationshipEvent[] {
  requestOf(state, pair);
  return [{ type: 'FollowRequestRejected', data: pair }];
}

function requestOf(state: RelationshipState, { account_id }: Pair): Follow {
  const { requested } = directionOf(state, account_id);
  if (!requested) throw notFound();
  return requested;
}

const sameSettings = (one: FollowSettings, other: FollowSettings): boolean =>
  one.reblogs === other.reblogs &&
  one.notify === other.notify &&
  JSON.stringify(one.languages) === JSON.stringify(other.languages);

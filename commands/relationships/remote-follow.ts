import type { RelationshipEvent } from '#events/relationships.ts';
import type { FollowFacts } from '#queries/accounts/index.ts';
import { decideAuthorize, decideFollow, decideReject, decideUnfollow, type FollowCommand } from './follow.ts';
import { directionOf, type Pair, type RelationshipState } from './relationship.ts';

/** A follow by a remote account. */
export interface RemoteFollow extends Omit<FollowCommand, 'settings'> {
  /** The URI on that server; null without one. */
  uri: string | null;
}

/**
 * Decides like `decideFollow`, without a limit, which is the other server's affair. A forbidden follow is
 * rejected by an event, so that there is an answer. A repeat under the same URI does nothing; another URI is
 * kept, because the first answer may be lost. Pure. @throws RookeryError `not_found`, and `forbidden` for a
 * requester who blocks the target
 */
export function decideRemoteFollow(
  state: RelationshipState,
  { uri, ...command }: RemoteFollow,
  facts: FollowFacts,
): RelationshipEvent[] {
  const { id: _, ...pair } = command;
  const named = uri === null ? {} : { uri };
  const { following, requested, rejected } = directionOf(state, pair.account_id);
  const existing = following ?? requested;
  if (existing) {
    if (uri === null || existing.uri === uri) return [];
    return [{ type: 'FollowSettingsChanged', data: { ...pair, ...existing.settings, uri } }];
  }
  const unlimited = { ...facts, following: 0 };
  if (!isUnwelcome(state, pair, facts)) {
    return decideFollow(state, { ...command, settings: {} }, unlimited).map((event) =>
      event.type === 'AccountFollowed' || event.type === 'FollowRequested'
        ? { type: event.type, data: { ...event.data, ...named } }
        : event,
    );
  }
  if (uri !== null && rejected === uri) return [];
  return [
    {
      type: 'FollowRequested',
      data: { ...command, reblogs: true, notify: false, languages: null, ...named },
    },
    { type: 'FollowRequestRejected', data: pair },
  ];
}

/** Tells whether an existing target must not be followed, or no longer be followed, by this account. */
function isUnwelcome(state: RelationshipState, pair: Pair, { target }: FollowFacts): boolean {
  if (!target || target.suspended) return false;
  const blocked = directionOf(state, pair.target_account_id).blocking !== undefined;
  return blocked || target.domain_blocked || target.moved;
}

/**
 * Decides like `decideUnfollow`; `uri` is the URI of the follow on the follower's server, null without one. A
 * follow that was followed by another is over already. Unknown URIs mean the existing follow: Misskey
 * requests by one URI and undoes by another. Pure.
 */
export function decideRemoteUnfollow(
  state: RelationshipState,
  pair: Pair,
  uri: string | null,
): RelationshipEvent[] {
  const { following, requested, named = [] } = directionOf(state, pair.account_id);
  const isEarlier = uri !== null && named.includes(uri) && (following ?? requested)?.uri !== uri;
  return isEarlier ? [] : decideUnfollow(state, pair);
}

/**
 * Decides about the answer of a remote target: it accepts a request, declines it, or ends a follow. A follow
 * that was not requested (any more) cannot be accepted (CVE-2025-30741). Pure.
 */
export function decideAnswer(
  state: RelationshipState,
  pair: Pair,
  answer: 'accept' | 'reject',
): RelationshipEvent[] {
  const { requested } = directionOf(state, pair.account_id);
  if (requested) return answer === 'accept' ? decideAuthorize(state, pair) : decideReject(state, pair);
  return answer === 'accept' ? [] : decideUnfollow(state, pair);
}

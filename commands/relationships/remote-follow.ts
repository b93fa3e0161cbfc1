import type { FollowFacts } from '../../queries/accounts/index.ts';
import type { RelationshipEvent } from '../../src/events/relationships.ts';
import { decideAuthorize, decideFollow, decideReject, decideUnfollow, type FollowCommand } from './follow.ts';
import { directionOf, type Pair, type RelationshipState } from './relationship.ts';

/** A follow by an account of another server. */
export interface RemoteFollow extends Omit<FollowCommand, 'settings'> {
  /** What that server calls it; null where it has no name. */
  uri: string | null;
}

/**
 * As `decideFollow`, without a limit, since that is the other server's affair. Who may not follow is turned down by an event, so
 * that there is something to answer. Asked again under the same name, nothing happens; under another one, the name is kept, for
 * the first answer may have been lost. Pure. @throws RookeryError `not_found`, and `forbidden` for who blocks whom he asks
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

/** Whether the target, who is there, does not want to be followed by this account, or is not to be followed any more. */
function isUnwelcome(state: RelationshipState, pair: Pair, { target }: FollowFacts): boolean {
  if (!target || target.suspended) return false;
  const blocked = directionOf(state, pair.target_account_id).blocking !== undefined;
  return blocked || target.domain_blocked || target.moved;
}

/**
 * As `decideUnfollow`; `uri` is what the follower's own server calls the follow that it takes back, null for no name. One that
 * another one came after is over already. Names that never were here mean the follow that there is: Misskey asks by one name and
 * takes back by another. Pure.
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
 * What the target of a pair on another server answers to a follow: it accepts what was asked, declines it, or ends a follow. What
 * was not asked (any more) cannot be accepted (CVE-2025-30741). Pure.
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

import type { FollowFacts } from '../../queries/accounts/index.ts';
import type { RelationshipEvent } from '../../src/events/relationships.ts';
import type { Decider } from '../../src/kernel/decider.ts';
import { invalid, notFound } from '../../src/kernel/errors.ts';
import type { Id } from '../../src/kernel/ids.ts';

/** What a follower chose for one follow. */
export interface FollowSettings {
  /** Show the target's reblogs in the home timeline. */
  reblogs: boolean;
  /** Tell the follower when the target posts. */
  notify: boolean;
  /** Only posts in these languages; null for all. */
  languages: string[] | null;
}

export interface Follow {
  id: Id;
  settings: FollowSettings;
}

/** What one account of the pair has towards the other. At most one of follow and request. */
export interface Direction {
  following?: Follow;
  requested?: Follow;
}

/** Both directions of a pair, by the account that they start from. */
export interface RelationshipState {
  [accountId: Id]: Direction;
}

/** Who acts towards whom. */
export interface Pair {
  account_id: Id;
  target_account_id: Id;
}

/** Stream `relationship-<low>-<high>`: everything between two accounts. */
export const relationship: Decider<RelationshipState, RelationshipEvent> = {
  initialState: {},
  evolve: (state, event) => {
    const { account_id } = event.data;
    return { ...state, [account_id]: evolveDirection(directionOf(state, account_id), event) };
  },
};

/** What this account has towards the other one of the pair. */
export const directionOf = (state: RelationshipState, accountId: Id): Direction => state[accountId] ?? {};

export interface FollowCommand extends Pair {
  /** The id of a follow or request that comes about. */
  id: Id;
  /** Only what the follower asks for; for the rest, what is there already or the defaults. */
  settings: Partial<FollowSettings>;
}

const DEFAULTS: FollowSettings = { reblogs: true, notify: false, languages: null };

/** From here on, nobody follows many more than follow them. https://docs.joinmastodon.org/admin/config/#max_follows_threshold */
export const MAX_FOLLOWS_THRESHOLD = 7_500;
const MAX_FOLLOWS_RATIO = 1.1;

/** How many one may follow. */
export const followLimit = (followers: number): number =>
  Math.max(MAX_FOLLOWS_THRESHOLD, Math.round(followers * MAX_FOLLOWS_RATIO));

/**
 * Follows, or asks to; where either is there already, changes its settings. A locked account is asked, and so is one on
 * another server, since that server decides.
 * @throws RookeryError `not_found` for nobody one could follow, `invalid` past the limit
 */
export function decideFollow(
  state: RelationshipState,
  { id, settings, ...pair }: FollowCommand,
  facts: FollowFacts,
): RelationshipEvent[] {
  const { target } = facts;
  if (!target || target.suspended || pair.account_id === pair.target_account_id) throw notFound();
  const { following, requested } = directionOf(state, pair.account_id);
  const existing = following ?? requested;
  if (existing) {
    const changed = { ...existing.settings, ...settings };
    if (sameSettings(existing.settings, changed)) return [];
    return [{ type: 'FollowSettingsChanged', data: { ...pair, ...changed } }];
  }
  const limit = followLimit(facts.followers);
  if (facts.following >= limit) {
    throw invalid(`Validation failed: You cannot follow more than ${limit} people`);
  }
  const data = { id, ...pair, ...DEFAULTS, ...settings };
  return [{ type: target.locked || !target.local ? 'FollowRequested' : 'AccountFollowed', data }];
}

/** Ends a follow, or takes a request back. Neither there: nothing to do. */
export function decideUnfollow(state: RelationshipState, pair: Pair): RelationshipEvent[] {
  const { following, requested } = directionOf(state, pair.account_id);
  if (following) return [{ type: 'AccountUnfollowed', data: pair }];
  if (requested) return [{ type: 'FollowRequestWithdrawn', data: pair }];
  return [];
}

/** `pair.account_id` is who asked. @throws RookeryError `not_found` when there is no request of theirs */
export function decideAuthorize(state: RelationshipState, pair: Pair): RelationshipEvent[] {
  const { id, settings } = requestOf(state, pair);
  return [{ type: 'FollowRequestAuthorized', data: { id, ...pair, ...settings } }];
}

/** `pair.account_id` is who asked. @throws RookeryError `not_found` when there is no request of theirs */
export function decideReject(state: RelationshipState, pair: Pair): RelationshipEvent[] {
  requestOf(state, pair);
  return [{ type: 'FollowRequestRejected', data: pair }];
}

function requestOf(state: RelationshipState, { account_id }: Pair): Follow {
  const { requested } = directionOf(state, account_id);
  if (!requested) throw notFound();
  return requested;
}

function evolveDirection(direction: Direction, event: RelationshipEvent): Direction {
  const { following, requested, ...rest } = direction;
  switch (event.type) {
    case 'AccountFollowed':
    case 'FollowRequestAuthorized':
      return { ...rest, following: followOf(event.data) };
    case 'FollowRequested':
      return { ...rest, requested: followOf(event.data) };
    case 'FollowSettingsChanged': {
      const settings = settingsOf(event.data);
      if (following) return { ...direction, following: { ...following, settings } };
      if (requested) return { ...direction, requested: { ...requested, settings } };
      return direction;
    }
    case 'AccountUnfollowed':
    case 'FollowRequestWithdrawn':
    case 'FollowRequestRejected':
      return rest;
  }
}

const settingsOf = ({ reblogs, notify, languages }: FollowSettings): FollowSettings => ({
  reblogs,
  notify,
  languages,
});
const followOf = (data: FollowSettings & { id: Id }): Follow => ({ id: data.id, settings: settingsOf(data) });

const sameSettings = (one: FollowSettings, other: FollowSettings): boolean =>
  one.reblogs === other.reblogs &&
  one.notify === other.notify &&
  JSON.stringify(one.languages) === JSON.stringify(other.languages);

import type { RelationshipEvent } from '#events/relationships.ts';
import type { Decider } from '#kernel/decider.ts';
import type { Id } from '#kernel/ids.ts';

/** The follower's settings of one follow. */
export interface FollowSettings {
  /** Show the target's reblogs in the home timeline. */
  reblogs: boolean;
  /** Notify the follower of the target's posts. */
  notify: boolean;
  /** Only posts in these languages; null for all. */
  languages: string[] | null;
}

export interface Follow {
  id: Id;
  settings: FollowSettings;
  /** The URI on the follower's own server. */
  uri?: string;
}

export interface Mute {
  id: Id;
  /** Notifications are muted too. */
  notifications: boolean;
  /** ISO 8601: the end of the mute. Null for never. */
  expires_at: string | null;
}

/** The relationship of one account of the pair to the other. At most one of follow and request. */
export interface Direction {
  following?: Follow;
  requested?: Follow;
  /** The URI of the last rejected request, on the follower's server. */
  rejected?: string;
  /** The newest URIs of follows and requests on the follower's server, the last one at the end. */
  named?: readonly string[];
  /** The id of the block. */
  blocking?: Id;
  muting?: Mute;
  endorsing?: true;
  note?: string;
}

/** Both directions of a pair, by the account that they start from. */
export interface RelationshipState {
  [accountId: Id]: Direction;
}

/** The source and the target of a relationship. */
export interface Pair {
  account_id: Id;
  target_account_id: Id;
}

/** Stream `relationship-<low>-<high>`: both directions between two accounts. */
export const relationship: Decider<RelationshipState, RelationshipEvent> = {
  initialState: {},
  evolve: (state, event) => {
    const { account_id } = event.data;
    return { ...state, [account_id]: evolveDirection(directionOf(state, account_id), event) };
  },
};

/** Returns the relationship of this account to the other one of the pair. */
export const directionOf = (state: RelationshipState, accountId: Id): Direction => state[accountId] ?? {};

/** Returns the same pair from the other end. */
export const reverse = ({ account_id, target_account_id }: Pair): Pair => ({
  account_id: target_account_id,
  target_account_id: account_id,
});

export const isSelf = ({ account_id, target_account_id }: Pair): boolean => account_id === target_account_id;

function evolveDirection(direction: Direction, event: RelationshipEvent): Direction {
  switch (event.type) {
    case 'AccountFollowed':
      return { ...named(without(direction, 'requested'), event.data), following: followOf(event.data) };
    case 'FollowRequestAuthorized':
      return authorized(direction, event.data);
    case 'FollowRequested':
      return { ...named(direction, event.data), requested: followOf(event.data) };
    case 'FollowSettingsChanged':
      return withSettings(named(direction, event.data), event.data);
    case 'AccountUnfollowed':
      return without(direction, 'following');
    case 'FollowRequestWithdrawn':
      return without(direction, 'requested');
    case 'FollowRequestRejected':
      return rejected(direction);
    case 'AccountBlocked':
      return { ...direction, blocking: event.data.id };
    case 'AccountUnblocked':
      return without(direction, 'blocking');
    case 'AccountMuted': {
      const { id, notifications, expires_at } = event.data;
      return { ...direction, muting: { id, notifications, expires_at } };
    }
    case 'AccountUnmuted':
      return without(direction, 'muting');
    case 'AccountEndorsed':
      return { ...direction, endorsing: true };
    case 'AccountUnendorsed':
      return without(direction, 'endorsing');
    case 'AccountNoteSet':
      return { ...direction, note: event.data.comment };
  }
}

/** The maximum of known URIs of follows in one direction. */
const MAX_NAMES = 20;

function named(direction: Direction, { uri }: { uri?: string | undefined }): Direction {
  if (uri === undefined) return direction;
  const others = (direction.named ?? []).filter((name) => name !== uri);
  return { ...direction, named: [...others, uri].slice(-MAX_NAMES) };
}

/** The follow keeps the URI of the request. */
const authorized = (direction: Direction, data: FollowSettings & { id: Id }): Direction => ({
  ...without(direction, 'requested'),
  following: followOf({ ...data, uri: direction.requested?.uri }),
});

function rejected(direction: Direction): Direction {
  const uri = direction.requested?.uri;
  return { ...without(direction, 'requested'), ...(uri === undefined ? {} : { rejected: uri }) };
}

function withSettings(direction: Direction, data: FollowSettings & { uri?: string | undefined }): Direction {
  const { following, requested } = direction;
  const changed = ({ id, uri }: Follow): Follow => followOf({ ...data, id, uri: data.uri ?? uri });
  if (following) return { ...direction, following: changed(following) };
  if (requested) return { ...direction, requested: changed(requested) };
  return direction;
}

function without(direction: Direction, key: keyof Direction): Direction {
  const rest = { ...direction };
  delete rest[key];
  return rest;
}

const settingsOf = ({ reblogs, notify, languages }: FollowSettings): FollowSettings => ({
  reblogs,
  notify,
  languages,
});
const followOf = (data: FollowSettings & { id: Id; uri?: string | undefined }): Follow => ({
  id: data.id,
  settings: settingsOf(data),
  ...(data.uri === undefined ? {} : { uri: data.uri }),
});

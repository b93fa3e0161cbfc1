import type { RelationshipEvent } from '#events/relationships.ts';
import type { Id } from '#kernel/ids.ts';
import { directionOf, isSelf, type Mute, type Pair, type RelationshipState } from './relationship.ts';

export interface MuteCommand extends Pair {
  /** The id of a new mute. */
  id: Id;
  notifications: boolean;
  /** ISO 8601, null for never. */
  expires_at: string | null;
  /** The time of the command, ISO 8601. */
  now: string;
}

/**
 * Mutes, or changes a mute. An expired mute has ended: the next one is new and has its own id. Muting oneself
 * does nothing, as in Mastodon.
 */
export function decideMute(
  state: RelationshipState,
  { id, now, notifications, expires_at, ...pair }: MuteCommand,
): RelationshipEvent[] {
  if (isSelf(pair)) return [];
  const { muting } = directionOf(state, pair.account_id);
  if (!muting || hasLapsed(muting, now))
    return [{ type: 'AccountMuted', data: { id, ...pair, notifications, expires_at } }];
  if (muting.notifications === notifications && muting.expires_at === expires_at) return [];
  return [{ type: 'AccountMuted', data: { id: muting.id, ...pair, notifications, expires_at } }];
}

/** Mutes the new account of a muted one that moved, unless the user follows or mutes it already. */
export function decideMoveMute(state: RelationshipState, command: MuteCommand): RelationshipEvent[] {
  const { following, muting } = directionOf(state, command.account_id);
  const chosen = following ?? (muting && !hasLapsed(muting, command.now));
  return chosen ? [] : decideMute(state, command);
}

const hasLapsed = ({ expires_at }: Mute, now: string): boolean =>
  expires_at !== null && Date.parse(expires_at) <= Date.parse(now);

/** Also removes an expired mute. */
export function decideUnmute(state: RelationshipState, pair: Pair): RelationshipEvent[] {
  return directionOf(state, pair.account_id).muting ? [{ type: 'AccountUnmuted', data: pair }] : [];
}

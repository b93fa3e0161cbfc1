import type { RelationshipEvent } from '#events/relationships.ts';
import type { Id } from '#kernel/ids.ts';
import { decideSever } from './follow.ts';
import { directionOf, isSelf, type Pair, type RelationshipState } from './relationship.ts';

export interface BlockCommand extends Pair {
  /** The id of a new block. */
  id: Id;
  /** The URI on the blocking account's server, if remote. */
  uri?: string;
}

/**
 * Blocks, and in the same decision ends follows and requests in both directions. Mutes and notes stay.
 * Blocking oneself does nothing, as in Mastodon.
 */
export function decideBlock(
  state: RelationshipState,
  { id, uri, ...pair }: BlockCommand,
): RelationshipEvent[] {
  if (isSelf(pair) || directionOf(state, pair.account_id).blocking) return [];
  const named = uri === undefined ? {} : { uri };
  return [...decideSever(state, pair), { type: 'AccountBlocked', data: { id, ...pair, ...named } }];
}

/** Blocks the new account of a blocked one that moved, unless the user follows it. */
export const decideMoveBlock = (state: RelationshipState, command: BlockCommand): RelationshipEvent[] =>
  directionOf(state, command.account_id).following ? [] : decideBlock(state, command);

/** Follows that the block ended do not return. */
export function decideUnblock(state: RelationshipState, pair: Pair): RelationshipEvent[] {
  const { blocking: id } = directionOf(state, pair.account_id);
  return id === undefined ? [] : [{ type: 'AccountUnblocked', data: { ...pair, id } }];
}

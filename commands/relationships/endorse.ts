import type { RelationshipEvent } from '#events/relationships.ts';
import { invalid } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { directionOf, type Pair, type RelationshipState } from './relationship.ts';

export interface EndorseCommand extends Pair {
  /** The id of a new endorsement. */
  id: Id;
}

/**
 * Shows an account on the user's profile. @throws RookeryError `invalid` for an account that the user does
 * not follow
 */
export function decideEndorse(
  state: RelationshipState,
  { id, ...pair }: EndorseCommand,
): RelationshipEvent[] {
  const { following, endorsing } = directionOf(state, pair.account_id);
  if (!following) {
    throw invalid('Validation failed: You must be already following the person you want to endorse');
  }
  return endorsing ? [] : [{ type: 'AccountEndorsed', data: { id, ...pair } }];
}

export function decideUnendorse(state: RelationshipState, pair: Pair): RelationshipEvent[] {
  return directionOf(state, pair.account_id).endorsing ? [{ type: 'AccountUnendorsed', data: pair }] : [];
}

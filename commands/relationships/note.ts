import type { RelationshipEvent } from '../../src/events/relationships.ts';
import { directionOf, type Pair, type RelationshipState } from './relationship.ts';

export interface NoteCommand extends Pair {
  /** White space alone is no note. */
  comment: string;
}

/** Sets, changes or removes a private note. One may note something about oneself. */
export function decideNote(state: RelationshipState, { comment, ...pair }: NoteCommand): RelationshipEvent[] {
  const text = comment.trim() === '' ? '' : comment;
  const { note = '' } = directionOf(state, pair.account_id);
  return text === note ? [] : [{ type: 'AccountNoteSet', data: { ...pair, comment: text } }];
}

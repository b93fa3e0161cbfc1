import type { RelationshipEvent } from '#events/relationships.ts';
import { directionOf, type Pair, type RelationshipState } from './relationship.ts';

export interface NoteCommand extends Pair {
  /** White space alone is no note. */
  comment: string;
}

/** Characters of a private note, in UTF-16 units. */
export const MAX_NOTE = 2_000;

/** Sets, changes or removes a private note, also about oneself. */
export function decideNote(state: RelationshipState, { comment, ...pair }: NoteCommand): RelationshipEvent[] {
  const text = comment.trim() === '' ? '' : comment;
  const { note = '' } = directionOf(state, pair.account_id);
  return text === note ? [] : [{ type: 'AccountNoteSet', data: { ...pair, comment: text } }];
}

/**
 * Copies the note about a moved account to the new one, before an existing note. Without room for both, the
 * existing one stays.
 */
export function decideMoveNote(
  state: RelationshipState,
  { comment, ...pair }: NoteCommand,
): RelationshipEvent[] {
  const { note = '' } = directionOf(state, pair.account_id);
  // A move may be announced more than once.
  if (note === comment || note.startsWith(`${comment}\n\n`)) return [];
  const both = note === '' ? comment : `${comment}\n\n${note}`;
  return both.length > MAX_NOTE ? [] : decideNote(state, { ...pair, comment: both });
}

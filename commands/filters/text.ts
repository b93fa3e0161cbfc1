import { BLANK, tooLong, type FieldProblems } from '../accounts/index.ts';
import { isLonger } from '../../src/mastodon/characters.ts';

/** Checks that a text is not blank and has at most `max` characters, as users count them. */
export function checkText(field: string, text: string, max: number, problems: FieldProblems): void {
  if (text.trim() === '') problems.add(field, BLANK);
  else if (isLonger(text, max)) problems.add(field, tooLong(max));
}

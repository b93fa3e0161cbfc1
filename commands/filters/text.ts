import { BLANK, type FieldProblems, tooLong } from '#kernel/field-problems.ts';
import { isLonger } from '#mastodon/characters.ts';

/** Checks that a text is not blank and has at most `max` characters, as users count them. */
export function checkText(field: string, text: string, max: number, problems: FieldProblems): void {
  if (text.trim() === '') problems.add(field, BLANK);
  else if (isLonger(text, max)) problems.add(field, tooLong(max));
}

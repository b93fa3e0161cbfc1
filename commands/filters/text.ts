import { BLANK, tooLong, type FieldProblems } from '../accounts/index.ts';

/** A text that must say something, within `max` characters as people count them. */
export function checkText(field: string, text: string, max: number, problems: FieldProblems): void {
  if (text.trim() === '') problems.add(field, BLANK);
  // A character has two UTF-16 units at most.
  else if (text.length > max && (text.length > 2 * max || [...text].length > max)) {
    problems.add(field, tooLong(max));
  }
}

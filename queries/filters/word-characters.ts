/**
 * Letters, marks, decimal digits and connectors: Ruby's `[[:word:]]`, which decides where Mastodon's filters see a word.
 * https://docs.joinmastodon.org/api/guidelines/#filters
 */
const WORD = /[\p{L}\p{M}\p{Nd}\p{Pc}]/u;

const UNKNOWN = 0;
const YES = 1;
const NO = 2;
/** The class of each UTF-16 unit; computed on first use. Half a surrogate pair stays unknown. */
const known = new Uint8Array(0x10000);

/** Whether the character that begins at this UTF-16 unit of the text is part of a word. */
export function isWordAt(text: string, index: number, unit: number): boolean {
  const answer = known[unit];
  if (answer !== UNKNOWN) return answer === YES;
  const point = text.codePointAt(index) ?? unit;
  const isWord = WORD.test(String.fromCodePoint(point));
  if (point === unit) known[unit] = isWord ? YES : NO;
  return isWord;
}

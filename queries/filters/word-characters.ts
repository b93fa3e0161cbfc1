/**
 * Letters, marks, decimal digits and connectors: Ruby's `[[:word:]]`, which decides about word boundaries in
 * Mastodon's filters. https://docs.joinmastodon.org/api/guidelines/#filters
 */
const WORD = /[\p{L}\p{M}\p{Nd}\p{Pc}]/u;

const UNKNOWN = 0;
const YES = 1;
const NO = 2;
/** The class of each UTF-16 unit, computed on first use. Half a surrogate pair has no class. */
const known = new Uint8Array(0x10000);

/** Returns true if the character that begins at this UTF-16 unit belongs to a word. */
export function isWordAt(text: string, index: number, unit: number): boolean {
  const answer = known[unit];
  if (answer !== UNKNOWN) return answer === YES;
  const point = text.codePointAt(index) ?? unit;
  const isWord = WORD.test(String.fromCodePoint(point));
  if (point === unit) known[unit] = isWord ? YES : NO;
  return isWord;
}

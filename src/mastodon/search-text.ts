import { cutToLength } from './normalize-tag.ts';
import { fold } from './search-terms.ts';

/** UTF-16 units; the rest of the text is ignored. */
const MAX_TEXT_LENGTH = 20_000;
/** UTF-16 units, which keeps a word within the bytes that Postgres accepts. */
const MAX_WORD_LENGTH = 100;

/**
 * The text between ASCII spaces and punctuation: each chunk is folded separately, since most need no folding.
 */
const CHUNKS = /[0-9a-z\u0080-\uFFFF]+/g;
const UNUSUAL = /[\u0080-\uFFFF]/;
/**
 * Runs of letters, digits and marks of scripts without spaces between words, or whose words grow at their
 * ends.
 */
const UNSPACED =
  /[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{N}\p{M}]]+/gv;
const ONLY_UNSPACED = new RegExp(`^${UNSPACED.source}$`, 'v');
const WORDS = /[\p{L}\p{N}\p{M}]+/gu;

/**
 * Returns the search words of a text in order, folded like names (`search-terms.ts`). In scripts without
 * spaces each character makes a word with the next one, so that every sequence of characters is a sequence of
 * words.
 */
export function wordsOf(text: string): string[] {
  const lower = cutToLength(text, MAX_TEXT_LENGTH).toLowerCase();
  const chunks: string[] = lower.match(CHUNKS) ?? [];
  const words = UNUSUAL.test(lower) ? chunks.flatMap(wordsIn) : chunks;
  return words.some(({ length }) => length > MAX_WORD_LENGTH)
    ? words.map((word) => cutToLength(word, MAX_WORD_LENGTH))
    : words;
}

const wordsIn = (chunk: string): string | string[] =>
  UNUSUAL.test(chunk) ? (fold(chunk).normalize('NFC').replace(UNSPACED, pairs).match(WORDS) ?? []) : chunk;

/** Returns `東京都` as ` 東京 京都 都 `. */
const pairs = (run: string): string => {
  const characters = [...run];
  return ` ${characters.map((character, index) => character + (characters[index + 1] ?? '')).join(' ')} `;
};

/**
 * Returns an extra search word for a property of a post: `@has=image`. No word begins like it, and it
 * contains no syntax of patterns, tsvectors and tsqueries, unless the value does.
 */
export const signOf = (kind: string, value: string): string => `@${kind}=${value}`;

/** A search for consecutive words. `begins`: a word may begin with the last of them. */
export interface Phrase {
  words: readonly string[];
  begins: boolean;
}

/** Returns the words (`wordsOf`) that a text must contain to match a search. */
export function phraseOf(text: string): Phrase {
  const words = wordsOf(text);
  const last = words.at(-1) ?? '';
  if (!ONLY_UNSPACED.test(last) || [...last].length > 1) return { words, begins: false };
  // The end of a run is no word while the run continues; a run of one character is the beginning of a pair.
  const before = words.at(-2) ?? '';
  const ends = before !== last && before.endsWith(last);
  return ends ? { words: words.slice(0, -1), begins: false } : { words, begins: true };
}

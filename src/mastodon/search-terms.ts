import { cutToLength, foldLatin } from './normalize-tag.ts';

/** UTF-16 units. Postgres accepts terms of up to 2,046 bytes, so three such words fit. */
const MAX_WORD_LENGTH = 100;
const MAX_HANDLE_LENGTH = 500;

/**
 * Folds a text to one spelling for everything that looks alike in a search: `Zoë`, `ZOE` and `zoe` are one
 * word.
 */
export const fold = (text: string): string =>
  foldLatin(text.normalize('NFKC'))
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '');

/**
 * Returns at most `max` distinct words of a text, in the form that is stored and searched: runs of letters,
 * digits and marks, folded and cut to 100 UTF-16 units.
 */
export function searchWords(text: string, max: number): string[] {
  const words = fold(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return [...new Set(words.map((word) => cutToLength(word, MAX_WORD_LENGTH)))].slice(0, max);
}

/**
 * Returns a handle as one term: `alice@far.example`, or `alice@` for a local account, independent of the
 * server's name. No word has an `@`, so handles and words share one index.
 */
export const handleTerm = (acct: string): string => handlePrefix(acct.includes('@') ? acct : `${acct}@`);

/**
 * Returns the beginning of a handle, as its term begins. Folding can produce spaces (`ﷺ`); terms have none.
 */
export const handlePrefix = (text: string): string =>
  cutToLength(fold(text).replace(/\s+/g, ''), MAX_HANDLE_LENGTH);

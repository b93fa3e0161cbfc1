import { cutToLength, foldLatin } from './normalize-tag.ts';

/** In UTF-16 units. Postgres takes terms of up to 2,046 bytes, so three of each fit. */
const MAX_WORD_LENGTH = 100;
const MAX_HANDLE_LENGTH = 500;

/** Folds a text to one spelling for all that look alike in a search: `Zoë`, `ZOE` and `zoe` are one word. */
export const fold = (text: string): string =>
  foldLatin(text.normalize('NFKC'))
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '');

/**
 * The words of a text, as they are stored and searched for: runs of letters, digits and marks, folded, each once and cut to
 * 100 UTF-16 units; no more than `max` of them.
 */
export function searchWords(text: string, max: number): string[] {
  const words = fold(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return [...new Set(words.map((word) => cutToLength(word, MAX_WORD_LENGTH)))].slice(0, max);
}

/**
 * A handle as one term: `alice@far.example`, or `alice@` for an account of this server, whatever the server is called. No word
 * has an `@`, so handles and words can stand in one index.
 */
export const handleTerm = (acct: string): string => handlePrefix(acct.includes('@') ? acct : `${acct}@`);

/** The beginning of a handle, as its term begins. Folding can bring forth spaces (`ﷺ`); terms have none. */
export const handlePrefix = (text: string): string =>
  cutToLength(fold(text).replace(/\s+/g, ''), MAX_HANDLE_LENGTH);

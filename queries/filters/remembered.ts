import { LRUCache } from 'lru-cache';

/** The maximum number of remembered texts of all viewers. */
const MAX_TEXTS = 20_000;

/** The number of a filter, and the words in the text that one of its keywords matches. */
export interface KeywordHit {
  filter: number;
  word: string;
}

const found = new LRUCache<string, { text: string; hits: readonly KeywordHit[] }>({ max: MAX_TEXTS });
let last = 0;

/**
 * Remembers the keywords found in a text, because the same pages are read again and again. `owner` comes from
 * `newOwner`, one for each set of patterns. Only the newest text of a status is kept.
 */
export function remembered(
  owner: number,
  { statusId, text }: { statusId: string; text: string },
  match: (text: string) => KeywordHit[],
): readonly KeywordHit[] {
  const key = `${owner}/${statusId}`;
  const known = found.get(key);
  if (known?.text === text) return known.hits;
  const hits = match(text);
  found.set(key, { text, hits });
  return hits;
}

export const newOwner = (): number => (last += 1);

import { LRUCache } from 'lru-cache';

/** Texts of all readers together. */
const MAX_TEXTS = 20_000;

/** The number of a filter, and the words of the text that one of its keywords matches. */
export interface KeywordHit {
  filter: number;
  word: string;
}

const found = new LRUCache<string, { text: string; hits: readonly KeywordHit[] }>({ max: MAX_TEXTS });
let last = 0;

/**
 * Remembers what a text holds of the keywords, since the same pages are read again and again. `owner` is from `newOwner`, one for
 * each set of patterns; of one status only the newest text is kept.
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

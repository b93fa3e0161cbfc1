import { LRUCache } from 'lru-cache';

/** Of all readers together. */
const MAX_TEXTS = 20_000;

const found = new LRUCache<string, { text: string; numbers: readonly number[] }>({ max: MAX_TEXTS });
let last = 0;

/**
 * Remembers which patterns a text holds, since the same pages are read again and again. `owner` is from `newOwner`, one for
 * each set of patterns; of one status only the newest text is kept.
 */
export function remembered(
  owner: number,
  { statusId, text }: { statusId: string; text: string },
  match: (text: string) => number[],
): readonly number[] {
  const key = `${owner}/${statusId}`;
  const known = found.get(key);
  if (known?.text === text) return known.numbers;
  const numbers = match(text);
  found.set(key, { text, numbers });
  return numbers;
}

export const newOwner = (): number => (last += 1);

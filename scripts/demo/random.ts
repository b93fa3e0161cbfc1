import { randomNumbers } from '../../bench/text.ts';

/** Pseudo-random choices: the same seed and name give the same ones on every machine. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Returns all items in another order. */
  shuffled<T>(items: readonly T[]): T[];
  some<T>(items: readonly T[], count: number): T[];
}

/** Each `name` has a sequence of its own, so that a change in one place moves nothing elsewhere. */
export function randomFrom(seed: number, name: string): Random {
  const next = randomNumbers(seed ^ hashOf(name));
  const random: Random = {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (probability) => next() < probability,
    pick: <T>(items: readonly T[]) => items[Math.floor(next() * items.length)] as T,
    shuffled: (items) => {
      const keyed = items.map((item) => ({ item, key: next() }));
      return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
    },
    some: (items, count) => random.shuffled(items).slice(0, count),
  };
  return random;
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}

import { createHash } from 'node:crypto';

/** A pseudo-random generator with a seed: mulberry32 (public domain). */
export class Random {
  #state: number;

  /** Derives the seed from texts. */
  constructor(...seed: readonly (string | number)[]) {
    this.#state = createHash('sha256').update(JSON.stringify(seed)).digest().readUInt32LE();
  }

  /** Returns a number of at least 0 and below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a whole number of at least 0 and below this one. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('There is nothing to pick');
    return item;
  }
}

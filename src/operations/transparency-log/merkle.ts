import { hash } from 'node:crypto';

/** The root of a tree without leaves. Hashes are those of https://datatracker.ietf.org/doc/html/rfc9162#section-2.1.1 */
const EMPTY = hash('sha256', '', 'buffer');
const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/** Returns the hash of a leaf: of its bytes, or of a text in UTF-8. */
export const leafHash = (leaf: string | Buffer): Buffer =>
  hash('sha256', typeof leaf === 'string' ? `\0${leaf}` : Buffer.concat([LEAF, leaf]), 'buffer');

/** Returns the hash of a node above two others. */
export const nodeHash = (left: Buffer, right: Buffer): Buffer =>
  hash('sha256', Buffer.concat([NODE, left, right]), 'buffer');

/** A full subtree: 2^height leaves, with `place` subtrees of that height before it. */
export interface Subtree {
  height: number;
  place: number;
}

/** Leaves by their index, `to` exclusive. */
export type LeafRange = readonly [from: number, to: number];

/** Returns the fewest full subtrees that cover these leaves, from left to right. */
export function subtreesOf([from, to]: LeafRange): Subtree[] {
  const subtrees: Subtree[] = [];
  for (let leaf = from; leaf < to;) {
    let height = 0;
    while (leaf % 2 ** (height + 1) === 0 && leaf + 2 ** (height + 1) <= to) height += 1;
    subtrees.push({ height, place: leaf / 2 ** height });
    leaf += 2 ** height;
  }
  return subtrees;
}

/** Returns the root of a tree, or of a range in a proof, from the hashes of its `subtreesOf`. */
export const rootOf = (hashes: readonly Buffer[]): Buffer =>
  hashes.length === 0 ? EMPTY : hashes.reduceRight((right, left) => nodeHash(left, right));

/** Returns the root of a full subtree from all hashes of one height below it. */
export function fullRoot(hashes: readonly Buffer[]): Buffer {
  const frontier = new Frontier();
  for (const each of hashes) frontier.append(each);
  return frontier.root();
}

/** The right edge of a growing tree: one hash for each of its full subtrees, so its size is logarithmic. */
export class Frontier {
  readonly #onSubtree: ((subtree: Subtree, hash: Buffer) => void) | undefined;
  readonly #hashes: Buffer[] = [];
  #size = 0;

  /** @param onSubtree called for each subtree that has become full */
  constructor(onSubtree?: (subtree: Subtree, hash: Buffer) => void) {
    this.#onSubtree = onSubtree;
  }

  /** The number of leaves. */
  get size(): number {
    return this.#size;
  }

  /**
   * Adds a leaf, or a full subtree of 2^height leaves, by its hash.
   * @throws RangeError when a subtree of that height does not fit
   */
  append(added: Buffer, height = 0): void {
    let place = this.#size / 2 ** height;
    if (!Number.isInteger(place)) throw new RangeError(`No subtree of height ${height} after ${this.#size}`);
    let joined = added;
    let level = height;
    while (place % 2 === 1) {
      joined = nodeHash(this.#hashes.pop() as Buffer, joined);
      place = (place - 1) / 2;
      level += 1;
      this.#onSubtree?.({ height: level, place }, joined);
    }
    this.#hashes.push(joined);
    this.#size += 2 ** height;
  }

  /** Returns the present root of the tree. */
  root(): Buffer {
    return rootOf(this.#hashes);
  }
}

/**
 * Returns the ranges whose hashes prove, in this order, that a leaf is in a tree of `size` leaves.
 * https://datatracker.ietf.org/doc/html/rfc9162#section-2.1.3.1
 */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + largestPowerBelow(to - from);
    if (index < middle) {
      ranges.push([middle, to]);
      to = middle;
    } else {
      ranges.push([from, middle]);
      from = middle;
    }
  }
  return ranges.reverse();
}

/**
 * Returns the ranges that prove that a tree of `newer` leaves begins with the one of `older` leaves; 0 <
 * older <= newer. https://datatracker.ietf.org/doc/html/rfc9162#section-2.1.4.1
 */
export function consistencyRanges(older: number, newer: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  let [from, to] = [0, newer];
  while (older < to) {
    const middle = from + largestPowerBelow(to - from);
    if (older <= middle) {
      ranges.push([middle, to]);
      to = middle;
    } else {
      ranges.push([from, middle]);
      from = middle;
    }
  }
  // The rest is at the edge of the older tree. If it is the whole tree, its root is known already.
  if (from > 0) ranges.push([from, to]);
  return ranges.reverse();
}

/** Returns the largest power of two below a number that is at least 2. */
function largestPowerBelow(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

import { Frontier, type Subtree } from './merkle.ts';

/** A kept checkpoint: the log must have had this root at this number of events. */
export interface Kept {
  size: number;
  root: Buffer;
  /** The place where it was kept, for messages. */
  source: string;
}

export interface Verdict {
  /** The number of events. */
  events: number;
  root: Buffer;
  /** The number of checkpoints that agree. */
  agreed: number;
  /** The first checkpoint that does not; undefined for none. */
  contradicts: Kept | undefined;
  /** Events after the largest of them, which nothing covers yet. */
  uncovered: number;
  /** The first problem; undefined for none. */
  problem: string | undefined;
}

/**
 * Reads a log and compares it with checkpoints. Any event that was changed, removed, added or moved changes
 * the roots of all larger trees, so the fault is between the last checkpoint that agrees and the first that
 * does not.
 */
export class Examination {
  readonly #kept: readonly Kept[];
  readonly #frontier: Frontier;
  #next = 0;
  #agreed = 0;
  #covered = 0;
  /** The first event that no agreeing checkpoint covers, and the latest one, by position. */
  #first: bigint | undefined;
  #last: bigint | undefined;
  /** Events that differ from their stored hash: since the last agreement, and before it. */
  #suspect: Stretch | undefined;
  #spoilt: Stretch | undefined;
  #problem: string | undefined;
  #contradicts: Kept | undefined;

  /** @param onSubtree called for each full subtree, before the tree that it completes is compared */
  constructor(kept: readonly Kept[], onSubtree?: (subtree: Subtree, hash: Buffer) => void) {
    this.#kept = kept.toSorted((a, b) => a.size - b.size);
    this.#frontier = new Frontier(onSubtree);
    this.#compare();
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  /** The number of events so far, including those under hashes. */
  get size(): number {
    return this.#frontier.size;
  }

  /** Takes the hash of a full subtree whose events are not available. */
  takeSubtree(hash: Buffer, height: number): void {
    this.#frontier.append(hash, height);
    this.#compare();
  }

  /** Takes the next event. */
  take(leaf: Buffer, position: bigint): void {
    if (this.#last !== undefined && position <= this.#last) {
      this.fail(`The event at position ${position} stands behind that at position ${this.#last}`);
    }
    this.#first ??= position;
    this.#last = position;
    this.#frontier.append(leaf);
    this.#compare();
  }

  /** Notes that these events have changed, which narrows down the finding of a later checkpoint. */
  suspect(first: bigint, last: bigint): void {
    this.#suspect ??= { first, last };
  }

  /** Notes a fault that no checkpoint shows. */
  fail(problem: string): void {
    this.#problem ??= problem;
  }

  end(): Verdict {
    const { size } = this.#frontier;
    const longer = this.#kept[this.#next];
    if (longer) {
      this.#contradicts ??= longer;
      const at = this.#last === undefined ? '' : `, at position ${this.#last}`;
      this.fail(`The log ends after ${size} events${at}; ${nameOf(longer)} has ${longer.size - size} more`);
    }
    if (this.#suspect) this.fail(`The ${textOf(this.#suspect)} are not those of their stored hashes`);
    if (this.#spoilt) {
      this.fail(`The stored hashes of the ${textOf(this.#spoilt)} were changed; the log is as it was`);
    }
    return {
      events: size,
      root: this.#frontier.root(),
      agreed: this.#agreed,
      contradicts: this.#contradicts,
      uncovered: size - this.#covered,
      problem: this.#problem,
    };
  }

  #compare(): void {
    const { size } = this.#frontier;
    for (let kept = this.#kept[this.#next]; kept && kept.size <= size; kept = this.#kept[this.#next]) {
      this.#next += 1;
      // A tree that ends inside a subtree known only by its hash cannot be compared.
      if (kept.size < size) continue;
      if (kept.root.equals(this.#frontier.root())) this.#agree(size);
      else this.#differ(kept);
    }
  }

  #agree(size: number): void {
    this.#agreed += 1;
    this.#covered = size;
    this.#first = undefined;
    this.#spoilt ??= this.#suspect;
    this.#suspect = undefined;
  }

  #differ(kept: Kept): void {
    this.#contradicts ??= kept;
    const [first, last] = [this.#first, this.#last];
    if (first === undefined || last === undefined) {
      return this.fail(`The first ${kept.size} events are not those of ${nameOf(kept)}`);
    }
    const suspect = this.#suspect ?? { first, last };
    const stretch = { first: suspect.first > first ? suspect.first : first, last: suspect.last };
    this.fail(`The ${textOf(stretch)} are not those of ${nameOf(kept)}`);
  }
}

/** Events between two positions, inclusive. */
interface Stretch {
  first: bigint;
  last: bigint;
}

const textOf = ({ first, last }: Stretch): string => `events at positions ${first} to ${last}`;

const nameOf = ({ size, source }: Kept): string => `the checkpoint of ${size} events (${source})`;

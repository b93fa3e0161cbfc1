import { Frontier, type Subtree } from './merkle.ts';

/** A kept checkpoint: the log must have had this root at this number of events. */
export interface Kept {
  size: number;
  root: Buffer;
  /** The place where it was kept, for messages. */
  source: string;
  /** An auditor kept it, or an export has it; otherwise the server stored it. */
  by?: 'auditor' | 'export';
}

/** A checkpoint with its outcome. */
export interface Compared {
  kept: Kept;
  outcome: 'agrees' | 'contradicts' | 'not_compared';
  /** Why it could not be compared; otherwise undefined. */
  reason: string | undefined;
}

export interface Verdict {
  /** The number of events of the log, including those that are known by a hash above them. */
  events: number;
  /** The number of events that were read and hashed. */
  read: number;
  root: Buffer;
  /** The number of checkpoints that agree, without the one in an export. */
  agreed: number;
  /** The outcome of each checkpoint, small trees first. */
  compared: readonly Compared[];
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
  readonly #compared: Compared[] = [];
  #next = 0;
  #read = 0;
  #covered = 0;
  /** A hash above several events was taken since the last agreement. */
  #hashed = false;
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
    this.#hashed = true;
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
    this.#read += 1;
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

  /** @param part the log is part of a longer one, whose later checkpoints it need not reach */
  end({ part = false } = {}): Verdict {
    const { size } = this.#frontier;
    const longer = this.#kept.slice(this.#next);
    if (longer[0] && !part) this.#endsBefore(longer[0]);
    for (const kept of longer) {
      if (this.#contradicts === kept) this.#note(kept, 'contradicts');
      else this.#note(kept, 'not_compared', `it is newer than the ${size} events that could be compared`);
    }
    this.#compareWithEachOther();
    if (this.#suspect) this.fail(`The ${textOf(this.#suspect)} are not those of their stored hashes`);
    if (this.#spoilt) {
      this.fail(`The stored hashes of the ${textOf(this.#spoilt)} were changed; the log is as it was`);
    }
    const agreed = this.#compared.filter(({ outcome, kept }) => outcome === 'agrees' && kept.by !== 'export');
    return {
      events: size,
      read: this.#read,
      root: this.#frontier.root(),
      agreed: agreed.length,
      compared: this.#compared,
      contradicts: this.#contradicts,
      uncovered: size - this.#covered,
      problem: this.#problem,
    };
  }

  #note(kept: Kept, outcome: Compared['outcome'], reason?: string): void {
    this.#compared.push({ kept, outcome, reason });
  }

  #endsBefore(longer: Kept): void {
    const { size } = this.#frontier;
    this.#contradicts ??= longer;
    const at = this.#last === undefined ? '' : `, at position ${this.#last}`;
    this.fail(`The log ends after ${size} events${at}; ${nameOf(longer)} has ${longer.size - size} more`);
  }

  #compare(): void {
    const { size } = this.#frontier;
    for (let kept = this.#kept[this.#next]; kept && kept.size <= size; kept = this.#kept[this.#next]) {
      this.#next += 1;
      // A tree that ends inside a subtree known only by its hash cannot be compared.
      if (kept.size < size)
        this.#note(kept, 'not_compared', `there is no proof for a log of ${kept.size} events`);
      else if (kept.root.equals(this.#frontier.root())) this.#agree(kept);
      else this.#differ(kept);
    }
  }

  /** Two checkpoints of the same size that differ are of two logs, also when neither can be compared with this one. */
  #compareWithEachOther(): void {
    for (const [index, each] of this.#compared.entries()) {
      const before = this.#compared[index - 1];
      if (each.outcome !== 'not_compared' || before?.kept.size !== each.kept.size) continue;
      if (before.kept.root.equals(each.kept.root)) continue;
      this.#contradicts ??= each.kept;
      this.#compared[index] = { kept: each.kept, outcome: 'contradicts', reason: undefined };
      this.fail(`${nameOf(each.kept, 'The')} differs from ${nameOf(before.kept)}`);
    }
  }

  #agree(kept: Kept): void {
    this.#note(kept, 'agrees');
    this.#covered = kept.size;
    this.#hashed = false;
    this.#first = undefined;
    this.#spoilt ??= this.#suspect;
    this.#suspect = undefined;
  }

  #differ(kept: Kept): void {
    this.#note(kept, 'contradicts');
    this.#contradicts ??= kept;
    const [first, last] = [this.#first, this.#last];
    if (this.#hashed || first === undefined || last === undefined) {
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

/** Returns a name for messages. */
export const nameOf = ({ size, source }: Kept, article = 'the'): string =>
  `${article} checkpoint of ${size} events (${source})`;

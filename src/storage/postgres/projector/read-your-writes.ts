import { LRUCache } from 'lru-cache';
import { RookeryError } from '#kernel/errors.ts';
import { atMost } from '#kernel/lru.ts';
import type { Checkpoints } from './checkpoints.ts';

/**
 * Keeps the last position that an owner wrote: in this process, or in Redis when several processes serve the
 * API.
 */
export interface SharedPositions {
  set(owner: string, position: bigint): void;
  /** `unknown` during an outage of the shared store. */
  get(owner: string): Promise<bigint | 'unknown' | undefined>;
}

export interface ReadYourWritesOptions {
  /** Milliseconds. */
  timeout: number;
  shared?: SharedPositions | undefined;
  /** Returns the newest position of the log: every earlier write is at or before it. */
  head: () => Promise<bigint>;
  /** This process alone serves the API and runs the projector, so every reader is in it. */
  alone: boolean;
}

/** The write is stored, but not yet in the read models. The message keeps a client from sending it again. */
export class NotYetVisible extends RookeryError {
  constructor() {
    super('unavailable', 'This is stored and will be visible soon: there is no need to send it again', {
      headers: { 'Retry-After': '2' },
    });
    this.name = 'NotYetVisible';
  }
}

/**
 * Deferred writes that a group may lag behind a reply that did not wait for it. Positions do not tell: in EventStoreDB an event takes
 * hundreds of them.
 */
const MOST_BEHIND = 500;
/** The longest wait of a reader for the writes of others, in milliseconds. */
const PATIENCE_FOR_OTHERS = 1_000;

/**
 * Read your own writes: a token's reads wait for its writes, on the groups that they read. Every read waits
 * for deferred writes, and for those that a group lost in a crash of the database.
 */
export class ReadYourWrites {
  readonly #checkpoints: Checkpoints;
  readonly #timeout: number;
  readonly #shared: SharedPositions | undefined;
  readonly #head: () => Promise<bigint>;
  #alone: boolean;
  readonly #written = new LRUCache<string, bigint>(atMost(100_000));
  /** By group: the last deferred or lost position that the group had not reached. */
  readonly #owed = new Map<string, bigint>();
  /** The positions of the last `MOST_BEHIND` deferred writes, in a ring. */
  readonly #deferred: bigint[] = [];
  #nextDeferred = 0;
  /** The head of the log when this process began. */
  #began = 0n;

  constructor(checkpoints: Checkpoints, { timeout, shared, head, alone }: ReadYourWritesOptions) {
    this.#checkpoints = checkpoints;
    this.#timeout = timeout;
    this.#shared = shared;
    this.#head = head;
    this.#alone = alone;
    checkpoints.onFallBack((group, lost) => this.#owe(group, lost));
  }

  /** From now on other processes may serve the reads, which would not wait for deferred writes. */
  notAlone(): void {
    this.#alone = false;
  }

  /**
   * Makes every reader of these groups wait for the present head of the log. Only the previous process knew
   * the writers, and read models that lost their last rows in a crash may lack those writes.
   */
  async begin(groups: readonly string[]): Promise<void> {
    const head = await this.#head();
    this.#began = head;
    for (const group of groups) this.#owed.set(group, head);
  }

  wrote(owner: string, position: bigint): void {
    if (position <= (this.#written.get(owner) ?? 0n)) return;
    this.#written.set(owner, position);
    this.#shared?.set(owner, position);
  }

  /** @throws NotYetVisible when a group does not reach the position in time */
  wait(owner: string, groups: readonly string[]): Promise<void> | void {
    if (this.#shared) return this.#waitForShared(owner, groups, this.#shared);
    const others = this.#waitForOwed(groups);
    const position = this.#written.get(owner);
    const own = position === undefined ? undefined : this.#wait(groups, position);
    if (others) return Promise.all([others, own]).then(() => undefined);
    return own;
  }

  /**
   * Makes later readers of these groups wait instead. When the groups lag too far, or other processes read
   * them, it waits for a limited time, on which the reply does not depend.
   */
  defer(owner: string, groups: readonly string[]): Promise<void> | void {
    if (!this.#alone) return unlessLate(this.wait(owner, groups));
    const position = this.#written.get(owner) ?? 0n;
    for (const group of groups) this.#owe(group, position);
    return unlessLate(this.#wait(groups, this.#before(position)));
  }

  #owe(group: string, position: bigint): void {
    if (position > (this.#owed.get(group) ?? 0n)) this.#owed.set(group, position);
  }

  /** Notes a deferred write. @returns the position of the one `MOST_BEHIND` before it, or of the start */
  #before(position: bigint): bigint {
    const before = this.#deferred[this.#nextDeferred] ?? this.#began;
    this.#deferred[this.#nextDeferred] = position;
    this.#nextDeferred = (this.#nextDeferred + 1) % MOST_BEHIND;
    return before;
  }

  /** While a group is halted, readers get its current rows. */
  #waitForOwed(groups: readonly string[]): Promise<unknown> | undefined {
    const waits: Promise<unknown>[] = [];
    for (const group of groups) {
      const owed = this.#owed.get(group);
      if (owed === undefined) continue;
      const reached = this.#checkpoints.reached(group, owed, Math.min(this.#timeout, PATIENCE_FOR_OTHERS));
      if (reached === true) this.#owed.delete(group);
      else waits.push(reached.then(() => this.#paid(group, owed)));
    }
    return waits.length > 0 ? Promise.all(waits) : undefined;
  }

  #paid(group: string, position: bigint): void {
    if (this.#owed.get(group) === position) this.#owed.delete(group);
  }

  async #waitForShared(owner: string, groups: readonly string[], shared: SharedPositions): Promise<void> {
    const [theirs] = await Promise.all([shared.get(owner), this.#waitForOwed(groups)]);
    if (theirs === 'unknown') await this.#waitForAll(groups);
    const mine = this.#written.get(owner) ?? 0n;
    await this.#wait(groups, typeof theirs === 'bigint' && theirs > mine ? theirs : mine);
  }

  /** Waits for all writes so far, by any owner. While a group is halted, readers get its current rows. */
  async #waitForAll(groups: readonly string[]): Promise<void> {
    const head = await this.#head();
    const patience = Math.min(this.#timeout, PATIENCE_FOR_OTHERS);
    await Promise.all(groups.map(async (group) => this.#checkpoints.reached(group, head, patience)));
  }

  #wait(groups: readonly string[], position: bigint): Promise<void> | void {
    return whenReached(this.#checkpoints, groups, position, this.#timeout);
  }
}

/**
 * Returns the consistency of one reaction: it waits for its own writes, and for the event that caused it.
 * @param timeout in milliseconds
 */
export function consistencyFrom(checkpoints: Checkpoints, timeout: number, position: bigint) {
  let written = position;
  const wait = (_owner: string, groups: readonly string[]): Promise<void> | void =>
    whenReached(checkpoints, groups, written, timeout);
  return {
    wrote(_owner: string, at: bigint): void {
      if (at > written) written = at;
    },
    wait,
    defer: wait,
  };
}

/** Waits, but not past the bound: what was written is stored. */
export const unlessLate = (waiting: Promise<void> | void): Promise<void> | void =>
  waiting?.catch((error: unknown) => {
    if (!(error instanceof NotYetVisible)) throw error;
  });

/** @throws NotYetVisible when a group does not reach the position in time */
function whenReached(
  checkpoints: Checkpoints,
  groups: readonly string[],
  position: bigint,
  timeout: number,
): Promise<void> | void {
  const waits = groups
    .map((group) => checkpoints.reached(group, position, timeout))
    .filter((wait) => wait !== true);
  if (waits.length === 0) return;
  return Promise.all(waits).then((reached) => {
    if (reached.every(Boolean)) return;
    throw new NotYetVisible();
  });
}

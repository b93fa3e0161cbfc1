import { LRUCache } from 'lru-cache';
import { RookeryError } from '../kernel/errors.ts';
import type { Checkpoints } from './checkpoints.ts';

/** Where the last position that an owner wrote is kept: in this process, or in Redis where several serve the API. */
export interface SharedPositions {
  set(owner: string, position: bigint): void;
  get(owner: string): Promise<bigint | undefined>;
}

/**
 * Read your own writes: what a token wrote, its later reads wait for, on the groups that they read.
 */
export class PositionSettler {
  readonly #checkpoints: Checkpoints;
  readonly #timeout: number;
  readonly #shared: SharedPositions | undefined;
  readonly #written = new LRUCache<string, bigint>({ max: 100_000 });

  /** `timeout` in milliseconds. */
  constructor(checkpoints: Checkpoints, timeout: number, shared?: SharedPositions) {
    this.#checkpoints = checkpoints;
    this.#timeout = timeout;
    this.#shared = shared;
  }

  wrote(owner: string, position: bigint): void {
    if (position <= (this.#written.get(owner) ?? 0n)) return;
    this.#written.set(owner, position);
    this.#shared?.set(owner, position);
  }

  /** @throws RookeryError `unavailable` when a group does not get there in time */
  settle(owner: string, groups: readonly string[]): Promise<void> | void {
    if (this.#shared) return this.#settleShared(owner, groups, this.#shared);
    const position = this.#written.get(owner);
    if (position === undefined) return;
    return this.#wait(groups, position);
  }

  async #settleShared(owner: string, groups: readonly string[], shared: SharedPositions): Promise<void> {
    const [mine = 0n, theirs = 0n] = [this.#written.get(owner), await shared.get(owner)];
    await this.#wait(groups, mine > theirs ? mine : theirs);
  }

  #wait(groups: readonly string[], position: bigint): Promise<void> | void {
    return whenReached(this.#checkpoints, groups, position, this.#timeout);
  }
}

/**
 * The settler of one reaction: waits for what it wrote, and for the event that it comes from.
 *
 * @param timeout in milliseconds
 */
export function settleFrom(checkpoints: Checkpoints, timeout: number, position: bigint) {
  let written = position;
  return {
    wrote(_owner: string, at: bigint): void {
      if (at > written) written = at;
    },
    settle: (_owner: string, groups: readonly string[]): Promise<void> | void =>
      whenReached(checkpoints, groups, written, timeout),
  };
}

/** @throws RookeryError `unavailable` when a group does not get there in time */
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
    throw new RookeryError('unavailable', 'Stored, but not yet visible; try again', {
      headers: { 'Retry-After': '2' },
    });
  });
}

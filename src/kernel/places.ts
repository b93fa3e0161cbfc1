import { AsyncLocalStorage } from 'node:async_hooks';
import { RookeryError } from './errors.ts';
import type { OnBehalf } from './on-behalf.ts';

/** Runs a task when a place is free. Rejects with `unavailable` immediately when too many tasks wait. */
export type Semaphore = <T>(task: () => Promise<T>, options?: OnBehalf) => Promise<T>;

export interface Limits {
  /** Tasks at a time. */
  running: number;
  /** Tasks that wait, jobs aside. */
  waiting: number;
  /** Tasks of one owner that wait; `waiting` unless given. */
  waitingPerOwner?: number;
  /** Tasks of one owner that run or are outside; unlimited unless given. */
  perOwner?: number;
  /** Tasks that may leave their place while they wait for another server; 0 unless given. */
  outside?: number;
  /** Called when a place became free. */
  onFree?: () => void;
}

const current = new AsyncLocalStorage<Place>();

/**
 * Waits for another server. The task that calls it leaves its place for as long, so that others can work, and goes on when a
 * place is free again.
 */
export async function outside<T>(wait: () => Promise<T>): Promise<T> {
  const place = current.getStore();
  if (!place) return wait();
  place.stepOut();
  try {
    return await wait();
  } finally {
    await place.stepIn();
  }
}

/** The places of a fair semaphore. */
export class Places {
  readonly #limits: Required<Limits>;
  readonly #queue = new OwnerQueues();
  /** Tasks that were outside and wait for a place: they go before new ones. */
  readonly #returning = new Set<() => void>();
  readonly #ofOwner = new Map<string, number>();
  #running = 0;
  #outside = 0;

  constructor(limits: Limits) {
    this.#limits = {
      waitingPerOwner: limits.waiting,
      perOwner: Infinity,
      outside: 0,
      onFree: () => undefined,
      ...limits,
    };
  }

  /** The number of free places. */
  get free(): number {
    return this.#limits.running - this.#running;
  }

  run: Semaphore = async (task, { owner = '', signal, isJob = false } = {}) => {
    const { waiting, waitingPerOwner } = this.#limits;
    signal?.throwIfAborted();
    if (this.free > 0 && this.#hasRoom(owner)) this.#enter(owner);
    else {
      if (!isJob && (this.#queue.length >= waiting || this.#queue.lengthOf(owner) >= waitingPerOwner)) {
        throw busy();
      }
      await this.#queue.wait(owner, signal, () => this.#enter(owner));
    }
    const place = new Place(this, current.getStore());
    try {
      return this.#limits.outside > 0 ? await current.run(place, task) : await task();
    } finally {
      this.#leave(owner, place.close());
    }
  };

  /** Returns false when too many are outside: the task keeps its place. */
  tryStepOut(): boolean {
    if (this.#outside >= this.#limits.outside) return false;
    this.#outside += 1;
    this.#running -= 1;
    this.#admit();
    return true;
  }

  /** Resolves when the task has a place again. */
  async stepIn(): Promise<void> {
    if (this.free > 0) this.#returned();
    else await new Promise<void>((resolve) => this.#returning.add(resolve));
  }

  /** Frees a place. */
  release(): void {
    this.#running -= 1;
    this.#admit();
  }

  #hasRoom(owner: string): boolean {
    return owner === '' || (this.#ofOwner.get(owner) ?? 0) < this.#limits.perOwner;
  }

  #enter(owner: string): void {
    this.#running += 1;
    this.#ofOwner.set(owner, (this.#ofOwner.get(owner) ?? 0) + 1);
  }

  #leave(owner: string, from: 'inside' | 'outside' | 'returning'): void {
    if (from === 'inside') this.#running -= 1;
    else if (from === 'outside') this.#outside -= 1;
    const left = (this.#ofOwner.get(owner) ?? 1) - 1;
    if (left > 0) this.#ofOwner.set(owner, left);
    else this.#ofOwner.delete(owner);
    this.#admit();
  }

  #returned(): void {
    this.#running += 1;
    this.#outside -= 1;
  }

  #admit(): void {
    for (const enter of this.#returning) {
      if (this.free <= 0) return;
      this.#returning.delete(enter);
      this.#returned();
      enter();
    }
    while (this.free > 0 && this.#queue.admitNext((owner) => this.#hasRoom(owner)));
    if (this.free > 0) this.#limits.onFree();
  }
}

/** The place of one task. It is empty while the task waits for other servers. */
class Place {
  readonly #places: Places;
  /** The place that the task has in a wider semaphore. */
  readonly #wider: Place | undefined;
  #waits = 0;
  #isOutside = false;
  #isClosed = false;
  #entering: Promise<void> | undefined;

  constructor(places: Places, wider: Place | undefined) {
    this.#places = places;
    this.#wider = wider;
  }

  stepOut(): void {
    this.#waits += 1;
    if (this.#waits === 1 && !this.#isClosed && !this.#entering)
      this.#isOutside ||= this.#places.tryStepOut();
    this.#wider?.stepOut();
  }

  /** Takes the places in the order in which they were taken first: two tasks never wait for each other. */
  async stepIn(): Promise<void> {
    await this.#wider?.stepIn();
    this.#waits -= 1;
    if (this.#waits > 0 || !this.#isOutside || this.#isClosed) return;
    await (this.#entering ??= this.#enter());
  }

  /** Ends the task. A place that it still waits for is freed at once when it comes. */
  close(): 'inside' | 'outside' | 'returning' {
    this.#isClosed = true;
    if (this.#entering) return 'returning';
    return this.#isOutside ? 'outside' : 'inside';
  }

  async #enter(): Promise<void> {
    await this.#places.stepIn();
    this.#entering = undefined;
    this.#isOutside = false;
    if (this.#isClosed) this.#places.release();
  }
}

const busy = (): RookeryError =>
  new RookeryError('unavailable', 'The server is busy, please try again later', {
    headers: { 'Retry-After': '5' },
  });

/** Waiting tasks by owner. The owner at the front is next, and then moves to the back. */
class OwnerQueues {
  readonly #queues = new Map<string, Set<() => void>>();
  length = 0;

  lengthOf(owner: string): number {
    return this.#queues.get(owner)?.size ?? 0;
  }

  /** Resolves when it is the turn of the task; `enter` is called at that moment. */
  wait(owner: string, signal: AbortSignal | undefined, enter: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(owner) ?? new Set();
      this.#queues.set(owner, queue);
      const drop = (): void => {
        this.#remove(owner, queue, admit);
        reject(signal?.reason as Error);
      };
      const admit = (): void => {
        signal?.removeEventListener('abort', drop);
        enter();
        resolve();
      };
      queue.add(admit);
      this.length += 1;
      signal?.addEventListener('abort', drop, { once: true });
    });
  }

  /** Returns false when nothing waits that may enter. */
  admitNext(mayEnter: (owner: string) => boolean): boolean {
    for (const [owner, queue] of this.#queues) {
      if (!mayEnter(owner)) continue;
      for (const admit of queue) {
        this.#remove(owner, queue, admit);
        if (queue.size > 0) {
          this.#queues.delete(owner);
          this.#queues.set(owner, queue);
        }
        admit();
        return true;
      }
    }
    return false;
  }

  #remove(owner: string, queue: Set<() => void>, admit: () => void): void {
    queue.delete(admit);
    this.length -= 1;
    if (queue.size === 0) this.#queues.delete(owner);
  }
}

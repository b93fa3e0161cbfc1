import { RookeryError } from './errors.ts';
import type { OnBehalf } from './on-behalf.ts';

/** Serializes work by key in this process, in the order of asking. Work of different keys runs in parallel. */
export class KeyedMutex {
  /** By key, the end of the last work that was asked for. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** True while work of the key runs or waits. */
  has(key: string): boolean {
    return this.#last.has(key);
  }

  /** Waits for all earlier work of the key. Returns a function to call when done. */
  async acquire(key: string): Promise<() => void> {
    const before = this.#last.get(key);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#last.set(key, promise);
    await before;
    return () => {
      this.#forget(key, promise);
      resolve(undefined);
    };
  }

  /** Runs work after all earlier work of the key. `work` must not reject. */
  run(key: string, work: () => Promise<void>): void {
    const before = this.#last.get(key);
    const done: Promise<void> = (before ? before.then(work) : work()).then(() => this.#forget(key, done));
    this.#last.set(key, done);
  }

  /** Resolves when all work that was asked for so far has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#last.values());
  }

  #forget(key: string, done: Promise<unknown>): void {
    if (this.#last.get(key) === done) this.#last.delete(key);
  }
}

/** Counts permits in all, and fewer for one key, whose work may never end. */
export class KeyedSemaphore {
  readonly #inAll: number;
  readonly #perKey: number;
  readonly #taken = new Map<string, number>();
  #count = 0;

  constructor({ inAll, perKey }: { inAll: number; perKey: number }) {
    this.#inAll = inAll;
    this.#perKey = perKey;
  }

  /** Returns a function that releases the permit, to be called once; undefined when none is free. */
  tryAcquire(key: string): (() => void) | undefined {
    const taken = this.#taken.get(key) ?? 0;
    if (this.#count >= this.#inAll || taken >= this.#perKey) return undefined;
    this.#count += 1;
    this.#taken.set(key, taken + 1);
    return () => this.#release(key);
  }

  #release(key: string): void {
    this.#count -= 1;
    const taken = (this.#taken.get(key) ?? 1) - 1;
    if (taken > 0) this.#taken.set(key, taken);
    else this.#taken.delete(key);
  }
}

/** Runs a task when a permit is free. Rejects with `unavailable` immediately when too many tasks wait. */
export type Semaphore = <T>(task: () => Promise<T>, options?: OnBehalf) => Promise<T>;

interface Limits {
  /** Tasks at a time. */
  running: number;
  /** Tasks that wait, jobs aside. */
  waiting: number;
  /** Tasks of one owner that wait; `waiting` unless given. */
  waitingPerOwner?: number;
}

/**
 * Returns a fair semaphore: `running` tasks work at a time, and at most `waiting` more queue. Owners take turns, and the tasks
 * of one owner are served in order. A task whose signal aborts while it waits is dropped, and rejects with the signal's reason.
 */
export function fairSemaphore({ running: permits, waiting, waitingPerOwner = waiting }: Limits): Semaphore {
  const queue = new OwnerQueues();
  let running = 0;

  return async (task, { owner = '', signal, isJob = false } = {}) => {
    signal?.throwIfAborted();
    if (running < permits) running += 1;
    else {
      if (!isJob && (queue.length >= waiting || queue.lengthOf(owner) >= waitingPerOwner)) throw busy();
      // A finished task hands its permit over, so `running` stays the same.
      await queue.wait(owner, signal);
    }
    try {
      return await task();
    } finally {
      if (!queue.admitNext()) running -= 1;
    }
  };
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

  wait(owner: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(owner) ?? new Set();
      this.#queues.set(owner, queue);
      const drop = (): void => {
        this.#remove(owner, queue, admit);
        reject(signal?.reason as Error);
      };
      const admit = (): void => {
        signal?.removeEventListener('abort', drop);
        resolve();
      };
      queue.add(admit);
      this.length += 1;
      signal?.addEventListener('abort', drop, { once: true });
    });
  }

  /** Returns false when nothing waits. */
  admitNext(): boolean {
    for (const [owner, queue] of this.#queues) {
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

import { RookeryError } from './errors.ts';
import type { OnBehalf } from './on-behalf.ts';

/** Runs a task when a place is free. Rejects with `unavailable` at once when too many wait already. */
export type Limiter = <T>(task: () => Promise<T>, options?: OnBehalf) => Promise<T>;

interface Limits {
  /** Tasks at a time. */
  running: number;
  /** Tasks that wait, jobs aside. */
  waiting: number;
  /** Tasks of one owner that wait; `waiting` unless given. */
  waitingPerOwner?: number;
}

/**
 * Lets `running` tasks work at a time and at most `waiting` more queue. Owners take turns, and the tasks of one owner are served in order.
 * A task whose signal aborts while it waits is dropped, and rejects with the signal's reason.
 */
export function limiter({ running: places, waiting, waitingPerOwner = waiting }: Limits): Limiter {
  const queue = new OwnerQueues();
  let running = 0;

  return async (task, { owner = '', signal, isJob = false } = {}) => {
    signal?.throwIfAborted();
    if (running < places) running += 1;
    else {
      if (!isJob && (queue.length >= waiting || queue.lengthOf(owner) >= waitingPerOwner)) throw busy();
      // A finished task hands its place over, so `running` stays as it is.
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

/** Those who wait, by owner. The owner at the front is next, and then goes to the back. */
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

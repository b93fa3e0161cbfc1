import { RookeryError } from './kernel/errors.ts';

/** Runs a task when a place is free. Rejects with `unavailable` at once when too many wait already. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>;

/** Lets `running` tasks work at a time and at most `waiting` more queue, first come first served. */
export function limiter(limits: { running: number; waiting: number }): Limiter {
  const queue: (() => void)[] = [];
  let running = 0;

  return async (task) => {
    if (running >= limits.running) {
      if (queue.length >= limits.waiting) {
        throw new RookeryError('unavailable', 'The server is busy, please try again later', {
          headers: { 'Retry-After': '5' },
        });
      }
      // Whoever finishes hands its place over, so `running` stays as it is.
      await new Promise<void>((resolve) => queue.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await task();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

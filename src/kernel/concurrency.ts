import { type Limits, Places, type Semaphore } from './places.ts';

export type { Semaphore };

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

/**
 * Returns a fair semaphore: `running` tasks work at a time, and at most `waiting` more queue. Owners take turns, and the tasks
 * of one owner are served in order. A task whose signal aborts while it waits is dropped, and rejects with the signal's reason.
 */
export function fairSemaphore(limits: Limits): Semaphore {
  const places = new Places(limits);
  return (task, options) => places.run(task, options);
}

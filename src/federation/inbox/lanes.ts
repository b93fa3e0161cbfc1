/** Does what belongs together one after the other, in the order in which it came; what does not, side by side. */
export class Lanes {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(lane: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(lane);
    const mine = before ? before.then(work) : work();
    // A failure is that of who caused it.
    const done = mine.catch(() => undefined);
    this.#last.set(lane, done);
    try {
      return await mine;
    } finally {
      if (this.#last.get(lane) === done) this.#last.delete(lane);
    }
  }
}

/** Milliseconds. */
const SLOW_AFTER = 2_000;

/** Knows whose work takes long just now. */
export class Pace {
  readonly #began = new Map<string, Set<{ at: number }>>();

  isSlow(whose: string): boolean {
    const limit = performance.now() - SLOW_AFTER;
    return [...(this.#began.get(whose) ?? [])].some(({ at }) => at < limit);
  }

  async watch<T>(whose: string, work: () => Promise<T>): Promise<T> {
    const mine = { at: performance.now() };
    const all = this.#began.get(whose) ?? new Set<{ at: number }>();
    this.#began.set(whose, all.add(mine));
    try {
      return await work();
    } finally {
      all.delete(mine);
      if (all.size === 0) this.#began.delete(whose);
    }
  }
}

/**
 * Work in lanes: what shares a lane runs in the order in which it came, different lanes side by side.
 */
export class Lanes {
  readonly #last = new Map<string, Promise<void>>();

  /** `work` must not reject. */
  run(lane: string, work: () => Promise<void>): void {
    const before = this.#last.get(lane);
    const done = (before ? before.then(work) : work()).then(() => {
      if (this.#last.get(lane) === done) this.#last.delete(lane);
    });
    this.#last.set(lane, done);
  }

  /** Resolves when everything that is here now has run. */
  async empty(): Promise<void> {
    await Promise.all(this.#last.values());
  }
}

/** At most so many at once; the others wait for their turn. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}

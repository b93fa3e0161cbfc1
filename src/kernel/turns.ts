/**
 * Who wants the same thing takes turns, in the order of asking: by key, in this process. Others may be in between who never
 * asked for a turn; it spares attempts that are bound to fail, and nothing hangs on it.
 */
export class Turns {
  /** By key, when the last of those who asked is done. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** True while somebody has a turn, or waits for one. */
  has(key: string): boolean {
    return this.#last.has(key);
  }

  /** Waits for all who asked before. @returns to be called when done */
  async take(key: string): Promise<() => void> {
    const before = this.#last.get(key);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#last.set(key, promise);
    await before;
    return () => {
      if (this.#last.get(key) === promise) this.#last.delete(key);
      resolve(undefined);
    };
  }
}

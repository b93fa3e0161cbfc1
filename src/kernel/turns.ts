/**
 * Serializes work by key in this process, in the order of asking. It only avoids attempts that are bound to
 * fail; callers that never ask for a turn may come between.
 */
export class Turns {
  /** By key, when the last of those who asked is done. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** True while work of the key runs or waits. */
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

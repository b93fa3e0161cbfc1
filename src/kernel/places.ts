/** Places for what goes on at once: a number in all, and fewer for one owner, who may be one that does not come to an end. */
export class Places {
  readonly #inAll: number;
  readonly #perOwner: number;
  readonly #taken = new Map<string, number>();
  #count = 0;

  constructor({ inAll, perOwner }: { inAll: number; perOwner: number }) {
    this.#inAll = inAll;
    this.#perOwner = perOwner;
  }

  /** @returns what frees the place again, to be called once; undefined where there is none */
  take(owner: string): (() => void) | undefined {
    const theirs = this.#taken.get(owner) ?? 0;
    if (this.#count >= this.#inAll || theirs >= this.#perOwner) return undefined;
    this.#count += 1;
    this.#taken.set(owner, theirs + 1);
    return () => this.#free(owner);
  }

  #free(owner: string): void {
    this.#count -= 1;
    const theirs = (this.#taken.get(owner) ?? 1) - 1;
    if (theirs > 0) this.#taken.set(owner, theirs);
    else this.#taken.delete(owner);
  }
}

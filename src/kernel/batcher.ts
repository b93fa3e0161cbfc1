/** Longer batches are cut. */
const MAX_BATCH = 100;

/**
 * Group commit for reads: what is asked for in one turn of the event loop goes out as one query. Posts that become visible
 * with the same commit are read together, and so are requests that arrive together.
 */
export class Batcher<Key, Row> {
  readonly #load: (keys: readonly Key[]) => Promise<readonly (Row | undefined)[]>;
  #waiting: { key: Key; resolve: (row: Row | undefined) => void; reject: (error: unknown) => void }[] = [];

  /** `load` gives a row or undefined for each key, in the order of the keys. */
  constructor(load: (keys: readonly Key[]) => Promise<readonly (Row | undefined)[]>) {
    this.#load = load;
  }

  get(key: Key): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let start = 0; start < waiting.length; start += MAX_BATCH) {
      const batch = waiting.slice(start, start + MAX_BATCH);
      this.#load(batch.map(({ key }) => key)).then(
        (rows) => batch.forEach(({ resolve }, index) => resolve(rows[index])),
        (error: unknown) => batch.forEach(({ reject }) => reject(error)),
      );
    }
  }
}

/** One batcher per database, made when first asked for. */
export function batcherPer<Owner extends object, Key, Row>(
  make: (owner: Owner) => (keys: readonly Key[]) => Promise<readonly (Row | undefined)[]>,
): (owner: Owner) => Batcher<Key, Row> {
  const batchers = new WeakMap<Owner, Batcher<Key, Row>>();
  return (owner) => {
    const known = batchers.get(owner);
    if (known) return known;
    const batcher = new Batcher(make(owner));
    batchers.set(owner, batcher);
    return batcher;
  };
}

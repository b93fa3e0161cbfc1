/** Longer batches are cut. */
const MAX_BATCH = 100;

export interface BatcherOptions {
  /**
   * Batches that may be under way at once. What is asked for meanwhile waits for one of them to come back: under load the
   * batches grow, and what each costs besides its rows is shared by more. No bound where this is absent.
   */
  underWay?: number;
}

/**
 * Group commit for reads: what is asked for in one turn of the event loop goes out as one query. Posts that become visible
 * with the same commit are read together, and so are requests that arrive together.
 */
export class Batcher<Key, Row> {
  readonly #load: (keys: readonly Key[]) => Promise<readonly (Row | undefined)[]>;
  readonly #most: number;
  #waiting: Asked<Key, Row>[] = [];
  #underWay = 0;
  #scheduled = false;

  /** `load` gives a row or undefined for each key, in the order of the keys. */
  constructor(
    load: (keys: readonly Key[]) => Promise<readonly (Row | undefined)[]>,
    { underWay = Infinity }: BatcherOptions = {},
  ) {
    this.#load = load;
    this.#most = underWay;
  }

  get(key: Key): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0 || this.#underWay >= this.#most) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      while (this.#waiting.length > 0 && this.#underWay < this.#most) {
        void this.#run(this.#waiting.splice(0, MAX_BATCH));
      }
    });
  }

  async #run(batch: readonly Asked<Key, Row>[]): Promise<void> {
    this.#underWay += 1;
    try {
      const rows = await this.#load(batch.map(({ key }) => key));
      batch.forEach(({ resolve }, index) => resolve(rows[index]));
    } catch (error) {
      batch.forEach(({ reject }) => reject(error));
    } finally {
      this.#underWay -= 1;
      this.#schedule();
    }
  }
}

interface Asked<Key, Row> {
  key: Key;
  resolve: (row: Row | undefined) => void;
  reject: (error: unknown) => void;
}

/** One batcher per database, made when first asked for. */
export function batcherPer<Owner extends object, Key, Row>(
  make: (owner: Owner) => (keys: readonly Key[]) => Promise<readonly (Row | undefined)[]>,
  options?: BatcherOptions,
): (owner: Owner) => Batcher<Key, Row> {
  const batchers = new WeakMap<Owner, Batcher<Key, Row>>();
  return (owner) => {
    const known = batchers.get(owner);
    if (known) return known;
    const batcher = new Batcher(make(owner), options);
    batchers.set(owner, batcher);
    return batcher;
  };
}

/** Longer batches are cut. */
const MAX_BATCH = 100;
/** Batches that may be under way at once, where nothing else is said. */
const UNDER_WAY = 3;

interface Waiting<Key, Row> {
  key: Key;
  resolve: (row: Row | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Group commit for reads: what is asked for in one turn of the event loop goes out as one query. Posts that become visible
 * with the same commit are read together, and so are requests that arrive together, or while earlier ones are served.
 */
export class Batcher<Key, Row> {
  readonly #load: (keys: readonly Key[]) => Promise<readonly (Row | undefined)[]>;
  readonly #most: number;
  #waiting: Waiting<Key, Row>[] = [];
  #scheduled = false;
  #underWay = 0;

  /**
   * `load` gives a row or undefined for each key, in the order of the keys. While `most` batches are under way, what is asked
   * for waits, and goes out together: with fewer, the batches are larger.
   */
  constructor(load: (keys: readonly Key[]) => Promise<readonly (Row | undefined)[]>, most = UNDER_WAY) {
    this.#load = load;
    this.#most = most;
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
      void this.#flush(this.#waiting.splice(0, MAX_BATCH));
      this.#schedule();
    });
  }

  async #flush(batch: readonly Waiting<Key, Row>[]): Promise<void> {
    this.#underWay += 1;
    try {
      const rows = await this.#load(batch.map(({ key }) => key));
      batch.forEach(({ resolve }, index) => resolve(rows[index]));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.#underWay -= 1;
    this.#schedule();
  }
}

/** One batcher per database, made when first asked for. */
export function batcherPer<Owner extends object, Key, Row>(
  make: (owner: Owner) => (keys: readonly Key[]) => Promise<readonly (Row | undefined)[]>,
  most?: number,
): (owner: Owner) => Batcher<Key, Row> {
  const batchers = new WeakMap<Owner, Batcher<Key, Row>>();
  return (owner) => {
    const known = batchers.get(owner);
    if (known) return known;
    const batcher = new Batcher(make(owner), most);
    batchers.set(owner, batcher);
    return batcher;
  };
}

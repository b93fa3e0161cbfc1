/** Longer batches are cut, unless the loader asks for shorter ones. */
const MAX_BATCH = 100;
/** Batches that may be under way at once: while so many are, what is asked for waits, and goes out together. */
const UNDER_WAY = 3;

interface Waiting<Key, Row> {
  key: Key;
  resolve: (row: Row | undefined) => void;
  reject: (error: unknown) => void;
}

/** Gives a row or undefined for each key, in the order of the keys. */
type Load<Key, Row> = (keys: readonly Key[]) => Promise<readonly (Row | undefined)[]>;

/**
 * Group commit for reads: what is asked for in one turn of the event loop goes out as one query. Posts that become visible
 * with the same commit are read together, and so are requests that arrive together, or while earlier ones are served.
 */
export class Batcher<Key, Row> {
  readonly #load: Load<Key, Row>;
  readonly #most: number;
  #waiting: Waiting<Key, Row>[] = [];
  #scheduled = false;
  #underWay = 0;

  /** `most` is how many keys a batch may have. */
  constructor(load: Load<Key, Row>, most = MAX_BATCH) {
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
    if (this.#scheduled || this.#waiting.length === 0 || this.#underWay >= UNDER_WAY) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.#flush(this.#waiting.splice(0, this.#most));
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

/** One batcher per database, made when first asked for; `most` as there. */
export function batcherPer<Owner extends object, Key, Row>(
  make: (owner: Owner) => Load<Key, Row>,
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

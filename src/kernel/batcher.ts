import { type Db, sourceOf } from './read.ts';

/** Limits of a batch that differ from the defaults. */
export interface BatchOptions {
  /** The most keys of one batch: longer ones are split. */
  size?: number;
  /** The most concurrent batches: later keys wait, and go out together. Fewer make larger batches. */
  maxConcurrent?: number;
  /**
   * The least keys of a batch beside another one: a smaller batch waits for more keys, or for the other one
   * to end, but `LINGER` milliseconds at most. For queries whose cost hardly depends on the number of keys.
   */
  minBatch?: number;
}

const LINGER = 5;

interface Waiting<Key, Row> {
  key: Key;
  resolve: (row: Row | undefined) => void;
  reject: (error: unknown) => void;
}

/** Returns a row or undefined for each key, in the order of the keys. */
type Load<Key, Row> = (keys: readonly Key[]) => Promise<readonly (Row | undefined)[]>;

/**
 * Group commit for reads: the keys of one turn of the event loop become one query. Requests that arrive
 * together, or during earlier ones, are read together.
 */
export class Batcher<Key, Row> {
  readonly #load: Load<Key, Row>;
  readonly #options: Required<BatchOptions>;
  #waiting: Waiting<Key, Row>[] = [];
  #scheduled = false;
  #running = 0;
  #lingering: NodeJS.Timeout | undefined;

  constructor(load: Load<Key, Row>, options: BatchOptions = {}) {
    this.#load = load;
    this.#options = { size: 100, maxConcurrent: 3, minBatch: 1, ...options };
  }

  get(key: Key): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    const { maxConcurrent, minBatch } = this.#options;
    const waiting = this.#waiting.length;
    if (this.#scheduled || waiting === 0 || this.#running >= maxConcurrent) return;
    if (this.#running === 0 || waiting >= minBatch) this.#flushSoon();
    else this.#lingering ??= setTimeout(() => this.#flushSoon(), LINGER);
  }

  #flushSoon(): void {
    const { size } = this.#options;
    clearTimeout(this.#lingering);
    this.#lingering = undefined;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.#flush(this.#waiting.splice(0, size));
      this.#schedule();
    });
  }

  async #flush(batch: readonly Waiting<Key, Row>[]): Promise<void> {
    this.#running += 1;
    try {
      const rows = await this.#load(batch.map(({ key }) => key));
      batch.forEach(({ resolve }, index) => resolve(rows[index]));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.#running -= 1;
    this.#schedule();
  }
}

/** Returns a lookup that shares batches among all contexts of one database. A lookup waits until its own context may read. */
export function batcherPerDb<Key, Row>(
  make: (db: Db) => Load<Key, Row>,
  options: BatchOptions = {},
): (db: Db) => { get: (key: Key) => Promise<Row | undefined> } {
  const batchers = new WeakMap<Db, Batcher<Key, Row>>();
  const batcherOf = (source: Db): Batcher<Key, Row> => {
    const known = batchers.get(source);
    if (known) return known;
    const batcher = new Batcher(make(source), options);
    batchers.set(source, batcher);
    return batcher;
  };
  return (db) => {
    const batcher = batcherOf(sourceOf(db));
    const waiting = db.ready?.();
    return waiting ? { get: (key) => waiting.then(() => batcher.get(key)) } : batcher;
  };
}

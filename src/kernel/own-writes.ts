import type { Db, Statement } from './read.ts';

/**
 * Remembers the writes of owners, and waits until the read models contain them. An owner is a token, or a
 * context without one.
 */
export interface Consistency {
  wrote(owner: string, position: bigint): void;
  /**
   * Returns undefined when there is nothing to wait for. @throws RookeryError `unavailable` past the bound
   */
  wait(owner: string, groups: readonly string[]): Promise<void> | void;
  /**
   * Makes the next readers of these groups wait instead, where the deployment allows it. Never fails by a
   * timeout.
   */
  defer(owner: string, groups: readonly string[]): Promise<void> | void;
}

/** For contexts that read no read models, and for callers that wait for all of them. */
export const NEVER_WAITS: Consistency = {
  wrote: () => undefined,
  wait: () => undefined,
  defer: () => undefined,
};

interface OwnWrites {
  owner: string;
  /** The groups of read models that queries use. */
  reads: readonly string[];
  /** Queries do not wait for the context's own writes. */
  deferred: boolean;
}

/** The database of one context: a query waits until the read models contain the owner's earlier writes. */
export class OwnWritesDb implements Db {
  readonly source: Db;
  readonly #consistency: Consistency;
  readonly #options: OwnWrites;
  #upToDate = false;
  #waiting: Promise<void> | undefined;

  constructor(source: Db, consistency: Consistency, options: OwnWrites) {
    this.source = source;
    this.#consistency = consistency;
    this.#options = options;
  }

  get moment(): string | undefined {
    return this.source.moment;
  }

  get connections(): (() => number) | undefined {
    return this.source.connections;
  }

  query<Row>(statement: Statement<Row> | string, values?: readonly unknown[]): Promise<Row[]> {
    const waiting = this.ready();
    if (!waiting) return this.source.query(statement, values);
    return waiting.then(() => this.source.query(statement, values));
  }

  wrote(position: bigint): void {
    this.#consistency.wrote(this.#options.owner, position);
    if (this.#options.deferred) return;
    this.#upToDate = false;
    this.#waiting = undefined;
  }

  /** Concurrent queries share one wait. */
  ready(): Promise<void> | undefined {
    if (this.#upToDate) return undefined;
    if (this.#waiting) return this.#waiting;
    const wait = this.#consistency.wait(this.#options.owner, this.#options.reads);
    if (wait) return this.#await(wait);
    this.#upToDate = true;
    return undefined;
  }

  #await(wait: Promise<void>): Promise<void> {
    const waiting: Promise<void> = wait.then(
      () => this.#end(waiting, true),
      (error: unknown) => {
        this.#end(waiting, false);
        throw error;
      },
    );
    this.#waiting = waiting;
    return waiting;
  }

  /** A write meanwhile starts another wait, which this one does not end. */
  #end(waiting: Promise<void>, upToDate: boolean): void {
    if (this.#waiting !== waiting) return;
    this.#waiting = undefined;
    this.#upToDate = upToDate;
  }
}

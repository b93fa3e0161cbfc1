import type pg from 'pg';
import { sendTogether, type StatementRun } from './statement-run.ts';

/**
 * Runs the statements of a transaction on its connection. Statements of one turn of the event loop are sent
 * together.
 */
export class StatementQueue {
  readonly #client: pg.PoolClient;
  #asked: StatementRun[] = [];
  #sending = false;
  #scheduled = false;
  #failure: Error | undefined;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  /** The first failure, after which nothing is sent. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Sends the statement together with the others of this turn. It calls back. */
  add(run: StatementRun): void {
    if (this.#failure) return run.handleError(this.#failure);
    this.#asked.push(run);
    this.#schedule();
  }

  /**
   * Fails the unsent statements and all later ones: after a rollback they would run outside of the
   * transaction, and a commit of a failed transaction would look like a success.
   */
  abandon(cause: unknown): void {
    const error = cause instanceof Error ? cause : new Error('The transaction failed', { cause });
    this.#failure ??= error;
    for (const run of this.#asked.splice(0)) run.handleError(error);
  }

  #schedule(): void {
    if (this.#sending || this.#scheduled || this.#asked.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => this.#send());
  }

  #send(): void {
    this.#scheduled = false;
    if (this.#asked.length === 0) return;
    this.#sending = true;
    const batch = new StatementBatch(this.#asked.splice(0), (failure) => {
      this.#sending = false;
      if (failure) this.abandon(failure);
      else this.#schedule();
    });
    this.#client.query(batch);
  }
}

/**
 * Statements that go to Postgres in one write and whose answers return in one: Postgres sends its output at a
 * Sync, and there is only one. It runs them in order. When one fails, it skips the rest, and all of them fail
 * alike.
 */
class StatementBatch implements pg.Submittable {
  readonly #runs: readonly StatementRun[];
  readonly #done: (failure?: Error) => void;
  #current = 0;

  /** `done` is called once, when all are answered, or with the failure of one of them. */
  constructor(runs: readonly StatementRun[], done: (failure?: Error) => void) {
    this.#runs = runs;
    this.#done = done;
  }

  /**
   * Returns the name of the current statement, by which pg remembers the prepared statements of the
   * connection.
   */
  get name(): string | undefined {
    return this.#runs[this.#current]?.name;
  }

  get text(): string | undefined {
    return this.#runs[this.#current]?.text;
  }

  submit = (connection: pg.Connection): Error | null => {
    sendTogether(this.#runs, connection);
    return null;
  };

  handleRowDescription(message: Parameters<StatementRun['handleRowDescription']>[0]): void {
    this.#runs[this.#current]?.handleRowDescription(message);
  }

  handleDataRow(message: Parameters<StatementRun['handleDataRow']>[0]): void {
    this.#runs[this.#current]?.handleDataRow(message);
  }

  handleCommandComplete(): void {
    this.#runs[this.#current]?.handleCommandComplete();
    this.#current += 1;
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  handleError(error: Error, connection: pg.Connection): void {
    for (const run of this.#runs.slice(0, this.#current)) run.handleReadyForQuery();
    for (const run of this.#runs.slice(this.#current)) run.handleError(error, connection);
    this.#done(error);
  }

  handleReadyForQuery(): void {
    for (const run of this.#runs) run.handleReadyForQuery();
    this.#done();
  }
}

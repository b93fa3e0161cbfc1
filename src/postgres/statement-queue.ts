import pg from 'pg';

/** What pg's own queries and connections can do, as far as its types leave it out. */
interface Part extends pg.Query {
  name?: string;
  text: string;
  submit: (connection: pg.Connection) => Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
  handleEmptyQuery(connection: pg.Connection): void;
  handleError(error: Error, connection: pg.Connection): void;
  handleReadyForQuery(connection: pg.Connection): void;
}
interface Internals extends pg.Connection {
  stream: pg.Connection['stream'];
  sync(): void;
  submittedNamedStatements: Record<string, string>;
}

/** A statement whose asker waits. */
interface Asked {
  statement: { name?: string; text: string; values?: unknown[]; types: pg.CustomTypesConfig };
  resolve: (rows: unknown[]) => void;
  reject: (error: unknown) => void;
}

/** Runs statements on one connection: those that are asked for in one turn of the event loop go out together. */
export class StatementQueue {
  readonly #client: pg.PoolClient;
  #asked: Asked[] = [];
  #underWay = false;
  #scheduled = false;
  #failure: Error | undefined;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  run(statement: Asked['statement']): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      this.#asked.push({ statement, resolve, reject });
      this.#schedule();
    });
  }

  /** What has not gone out yet fails, and all that comes: after a rollback it would stand outside of the transaction. */
  abandon(cause: unknown): void {
    const error = cause instanceof Error ? cause : new Error('The transaction failed', { cause });
    this.#failure = error;
    for (const { reject } of this.#asked.splice(0)) reject(error);
  }

  #schedule(): void {
    if (this.#underWay || this.#scheduled || this.#asked.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => this.#send());
  }

  #send(): void {
    this.#scheduled = false;
    if (this.#asked.length === 0) return;
    this.#underWay = true;
    const batch = new StatementBatch(this.#asked.splice(0), () => {
      this.#underWay = false;
      this.#schedule();
    });
    this.#client.query(batch);
  }
}

/**
 * Statements that go to Postgres in one write and whose answers come back in one: Postgres sends what it has at a Sync, and
 * this is the only one. It runs them one after another; where one fails it skips the rest, and all of these fail alike.
 *
 * A `Submittable` of pg, made of its own queries: each believes that it sends a Sync of its own.
 */
class StatementBatch implements pg.Submittable {
  readonly #asked: readonly Asked[];
  readonly #done: () => void;
  #parts: Part[] = [];
  readonly #failed = new Set<Part>();
  #current = 0;

  /** `done` is called once, when all have been answered. */
  constructor(asked: readonly Asked[], done: () => void) {
    this.#asked = asked;
    this.#done = done;
  }

  /** Of the statement whose turn it is: pg remembers by it what is prepared on the connection. */
  get name(): string | undefined {
    return this.#parts[this.#current]?.name;
  }

  get text(): string | undefined {
    return this.#parts[this.#current]?.text;
  }

  submit = (connection: pg.Connection): void => {
    const { stream, submittedNamedStatements } = connection as Internals;
    const withoutSync = Object.create(connection, { sync: { value: () => undefined } }) as pg.Connection;
    stream.cork();
    try {
      for (const asked of this.#asked) {
        const part = partOf(asked, () => this.#failed.add(part));
        const refusal = part.submit(withoutSync);
        if (refusal) part.handleError(refusal, connection);
        // Values that cannot be sent: Postgres will not answer to this one.
        if (!this.#failed.has(part)) this.#parts.push(part);
        else if (part.name !== undefined) delete submittedNamedStatements[part.name];
      }
      (connection as Internals).sync();
    } finally {
      stream.uncork();
    }
  };

  handleRowDescription(message: unknown): void {
    this.#parts[this.#current]?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#parts[this.#current]?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    this.#parts[this.#current]?.handleCommandComplete(message, connection);
    this.#current += 1;
  }

  handleEmptyQuery(): void {
    this.#current += 1;
  }

  handleError(error: Error, connection: pg.Connection): void {
    const { submittedNamedStatements } = connection as Internals;
    this.#parts.slice(0, this.#current).forEach((part) => part.handleReadyForQuery(connection));
    for (const part of this.#parts.slice(this.#current)) {
      if (part.name !== undefined) delete submittedNamedStatements[part.name];
      part.handleError(error, connection);
    }
    this.#done();
  }

  handleReadyForQuery(connection: pg.Connection): void {
    for (const part of this.#parts) part.handleReadyForQuery(connection);
    this.#done();
  }
}

function partOf({ statement, resolve, reject }: Asked, onFailure: () => void): Part {
  const query = new pg.Query({ ...statement, queryMode: 'extended' } as pg.QueryConfig, (error, result) => {
    if (error) {
      onFailure();
      reject(error);
    } else {
      resolve(result.rows);
    }
  });
  return query as unknown as Part;
}

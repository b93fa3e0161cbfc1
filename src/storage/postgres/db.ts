import pg from 'pg';
import { type Db, type Statement, statement } from '#kernel/read.ts';
import { noteOutage } from './outage.ts';
import { StatementQueue } from './statement-queue.ts';
import { givesNoRows, StatementRun } from './statement-run.ts';

/**
 * A transaction whose statements without rows resolve before they run: to the code in it, they seem done. When one
 * fails, the commit fails, and with it the pipeline.
 */
export interface PipelinedDb extends Db {
  readonly isPipelined: true;
}

/** A pool that also hands out transactions. */
export interface Database extends Db {
  /** Runs `work` in one transaction on one connection; rolls back when it throws. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * A transaction that goes to Postgres in one write when none of its statements returns rows; the commit is
   * sent with the last one. If one fails, everything is rolled back.
   * @throws the first failure
   */
  pipeline<T>(work: (db: PipelinedDb) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  /** The maximum number of connections. */
  max: number;
  /** For `ps` and pg_stat_activity. */
  applicationName: string;
  /** Off for read models, which the log can restore; on for everything else. */
  synchronousCommit?: boolean;
  /** Milliseconds after which a statement is cancelled; 0 for never (rebuilds). */
  statementTimeout?: number;
  /** Sends statements together that a transaction issues in one turn of the event loop. */
  gather?: boolean;
  /**
   * For pages of some rows: joins look into indexes row by row. A generic plan would otherwise read a table
   * of some thousand rows completely for each page, because it estimates that as cheap.
   */
  shortReads?: boolean;
  /** Called before each statement. @throws the error of the statement instead */
  check?: (asked: Statement | string) => void;
  /** Called with the process id of each connection at the server. */
  onBackend?: (pid: number) => void;
  /** Session settings that replace the defaults; without spaces. */
  settings?: Readonly<Record<string, string>>;
}

/** The schema in which queries find the live read models. */
export const READ_MODELS = 'readmodels';

/** Opens a pool. Timestamps come back as ISO 8601 strings, bigint and numeric as decimal strings. */
export const openDatabase = (options: DatabaseOptions): Database => new PooledDatabase(options);

const poolFor = (options: DatabaseOptions): pg.Pool =>
  new pg.Pool({
    connectionString: options.url,
    max: options.max,
    application_name: options.applicationName,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    options: [
      `-c search_path=${READ_MODELS},durable,public`,
      `-c synchronous_commit=${options.synchronousCommit === false ? 'off' : 'on'}`,
      `-c statement_timeout=${options.statementTimeout ?? 30_000}`,
      '-c idle_in_transaction_session_timeout=60000',
      '-c jit=off',
      ...(options.shortReads === true ? ['-c enable_hashjoin=off', '-c enable_mergejoin=off'] : []),
      ...Object.entries(options.settings ?? {}).map(([name, value]) => `-c ${name}=${value}`),
    ].join(' '),
  });

class PooledDatabase implements Database {
  readonly #pool: pg.Pool;
  readonly #gathers: boolean;
  readonly #check: (asked: Statement | string) => void;
  #connections = 0;

  constructor(options: DatabaseOptions) {
    this.#check = options.check ?? ignore;
    this.#gathers = options.gather === true;
    this.#pool = poolFor(options);
    // The pool replaces an idle connection that breaks. Without a listener the process would end.
    this.#pool.on('error', ignore);
    this.#pool.on('connect', (client) => {
      this.#connections += 1;
      const { processID } = client as pg.PoolClient & { processID?: number | null };
      if (typeof processID === 'number') options.onBackend?.(processID);
    });
  }

  query = async <Row>(asked: Statement | string, values?: readonly unknown[]): Promise<Row[]> => {
    this.#check(asked);
    return inPool(this.#pool, asked, values);
  };

  connections = (): number => this.#connections;

  transaction = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    const client = await this.#connect();
    const queue = this.#gathers ? new StatementQueue(client) : undefined;
    const db: Db = { query: queue ? gathered(queue) : (...args) => onClient(client, ...args) };
    try {
      // Statements of a connection run in order, so the statements of the work need not wait for the answer
      // to this one.
      const begun = db.query(BEGIN);
      begun.catch(() => undefined);
      if (!queue) await begun;
      const result = await work(db);
      await begun;
      await db.query(COMMIT);
      client.off('error', ignore).release();
      return result;
    } catch (error) {
      queue?.abandon(error);
      await rollback(client);
      throw noteOutage(error);
    }
  };

  pipeline = async <T>(work: (db: PipelinedDb) => Promise<T>): Promise<T> => {
    const client = await this.#connect();
    const queue = new StatementQueue(client);
    const send = gathered(queue);
    // The commit fails with any earlier failure.
    const sendUnawaited = (...args: Parameters<Db['query']>): void => void send(...args).catch(ignore);
    try {
      sendUnawaited(BEGIN);
      const result = await work({
        isPipelined: true,
        query: (statement, values) => {
          if (!givesNoRows(statement)) return send(statement, values);
          sendUnawaited(statement, values);
          return Promise.resolve([]);
        },
      });
      await send(COMMIT);
      client.off('error', ignore).release();
      return result;
    } catch (error) {
      queue.abandon(error);
      await rollback(client);
      throw noteOutage(queue.failure ?? error);
    }
  };

  close = (): Promise<void> => this.#pool.end();

  /** A waiting statement is rejected when its connection breaks. Without a listener the process would end. */
  async #connect(): Promise<pg.PoolClient> {
    try {
      return (await this.#pool.connect()).on('error', ignore);
    } catch (error) {
      throw noteOutage(error);
    }
  }
}

const BEGIN = statement('begin', 'begin');
const COMMIT = statement('commit', 'commit');
const ignore = (): void => undefined;

async function rollback(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('rollback');
    client.off('error', ignore).release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
  }
}

/** A text without name and values may hold several statements, which only the simple protocol accepts. */
const maybeSeveral = (asked: Statement | string, values?: readonly unknown[]): asked is string =>
  typeof asked === 'string' && !values;

/** Runs a statement by itself, once more if it met a replacement of its tables: nothing of it was kept. */
async function inPool<Row>(pool: pg.Pool, asked: Statement | string, values?: readonly unknown[]) {
  try {
    if (maybeSeveral(asked, values)) return (await pool.query(asked)).rows as Row[];
    try {
      return await alone<Row>(pool, asked, values);
    } catch (error) {
      if (!metReplacement(error)) throw error;
      return await alone<Row>(pool, asked, values);
    }
  } catch (error) {
    throw noteOutage(error);
  }
}

async function alone<Row>(pool: pg.Pool, asked: Statement | string, values?: readonly unknown[]) {
  const run = new StatementRun(asked, values);
  // The pool's own callback, which tells it that the connection is free, becomes the callback of the run.
  await (pool.query(run) as unknown as Promise<unknown>);
  return run.rows as Row[];
}

/**
 * Tells whether a statement lost a deadlock, or waited for a table that was dropped meanwhile.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const metReplacement = (error: unknown): boolean =>
  ['40P01', '40001', '42P01'].includes((error as { code?: string }).code ?? '') ||
  (error instanceof Error && error.message.startsWith('could not open relation'));

async function onClient<Row>(client: pg.PoolClient, asked: Statement | string, values?: readonly unknown[]) {
  if (maybeSeveral(asked, values)) return (await client.query(asked)).rows as Row[];
  return answered<Row>(new StatementRun(asked, values), (run) => client.query(run));
}

const gathered =
  (queue: StatementQueue): Db['query'] =>
  async <Row>(asked: Statement | string, values?: readonly unknown[]) =>
    answered<Row>(new StatementRun(asked, values), (run) => queue.add(run));

function answered<Row>(run: StatementRun, send: (run: StatementRun) => void): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    run.callback = (error) => (error ? reject(error) : resolve(run.rows as Row[]));
    send(run);
  });
}

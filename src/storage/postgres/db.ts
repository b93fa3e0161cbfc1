import pg from 'pg';
import { statement, type Db, type Statement } from '../../kernel/read.ts';
import { noteOutage } from './outage.ts';
import { StatementQueue } from './statement-queue.ts';
import { givesNoRows, StatementRun } from './statement-run.ts';

/** A pool that also hands out transactions. */
export interface Database extends Db {
  /** Runs `work` in one transaction on one connection; rolls back when it throws. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * A transaction that goes to Postgres in one write when none of its statements returns rows. To `work`,
   * such statements seem done before they run; the commit is sent with the last one. If one fails, everything
   * is rolled back.
   * @throws the first failure
   */
  pipeline<T>(work: (db: Db) => Promise<T>): Promise<T>;
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
  /** Session settings that replace the defaults; without spaces. */
  settings?: Readonly<Record<string, string>>;
}

/** The schema in which queries find the live read models. */
export const READ_MODELS = 'readmodels';

/** Opens a pool. Timestamps come back as ISO 8601 strings, bigint and numeric as decimal strings. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
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
  // The pool replaces an idle connection that breaks. Without a listener the process would end.
  pool.on('error', ignore);
  let connections = 0;
  pool.on('connect', () => (connections += 1));
  // A waiting statement is rejected when its connection breaks. Without a listener the process would end as
  // well.
  const connect = async (): Promise<pg.PoolClient> => {
    try {
      return (await pool.connect()).on('error', ignore);
    } catch (error) {
      throw noteOutage(error);
    }
  };
  return {
    query: (statement, values) => inPool(pool, statement, values),
    connections: () => connections,
    async transaction(work) {
      const client = await connect();
      const queue = options.gather === true ? new StatementQueue(client) : undefined;
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
    },
    async pipeline(work) {
      const client = await connect();
      const queue = new StatementQueue(client);
      const sure = gathered(queue);
      // The commit fails with any earlier failure.
      const unsure = (...args: Parameters<Db['query']>): void => void sure(...args).catch(ignore);
      try {
        unsure(BEGIN);
        const result = await work({
          query: (statement, values) => {
            if (!givesNoRows(statement)) return sure(statement, values);
            unsure(statement, values);
            return Promise.resolve([]);
          },
        });
        await sure(COMMIT);
        client.off('error', ignore).release();
        return result;
      } catch (error) {
        queue.abandon(error);
        await rollback(client);
        throw noteOutage(queue.failure ?? error);
      }
    },
    close: () => pool.end(),
  };
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

async function inPool<Row>(pool: pg.Pool, asked: Statement | string, values?: readonly unknown[]) {
  try {
    if (maybeSeveral(asked, values)) return (await pool.query(asked)).rows as Row[];
    const run = new StatementRun(asked, values);
    // The pool's own callback, which tells it that the connection is free, becomes the callback of the run.
    await (pool.query(run) as unknown as Promise<unknown>);
    return run.rows as Row[];
  } catch (error) {
    throw noteOutage(error);
  }
}

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

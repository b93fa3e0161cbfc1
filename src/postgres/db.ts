import pg from 'pg';
import type { Db } from '../kernel/read.ts';
import { StatementQueue } from './statement-queue.ts';

/** A pool that also hands out transactions. */
export interface Database extends Db {
  /** Runs `work` in one transaction on one connection; rolls back when it throws. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  /** Connections at most. */
  max: number;
  /** For `ps` and pg_stat_activity. */
  applicationName: string;
  /** Off for read models, which the log can restore; on for everything else. */
  synchronousCommit?: boolean;
  /** Milliseconds after which a statement is cancelled; 0 for never (rebuilds). */
  statementTimeout?: number;
  /** Statements of a transaction that are asked for in one turn of the event loop go out together. */
  gather?: boolean;
  /**
   * For pages of some rows: joins look into indexes row by row. A plan for all times would else read a table of some thousand
   * rows from end to end, which is cheap in its eyes, for each page.
   */
  shortReads?: boolean;
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
    types,
    options: [
      `-c search_path=${READ_MODELS},durable,public`,
      `-c synchronous_commit=${options.synchronousCommit === false ? 'off' : 'on'}`,
      `-c statement_timeout=${options.statementTimeout ?? 30_000}`,
      '-c idle_in_transaction_session_timeout=60000',
      '-c jit=off',
      ...(options.shortReads === true ? ['-c enable_hashjoin=off', '-c enable_mergejoin=off'] : []),
    ].join(' '),
  });
  // An idle connection that breaks is replaced by the pool; without a listener the process would end.
  pool.on('error', ignore);
  let connections = 0;
  pool.on('connect', () => (connections += 1));
  return {
    ...dbOver(pool),
    connections: () => connections,
    async transaction(work) {
      const client = await pool.connect();
      // The statement that waits is told; without a listener the process would end as well.
      client.on('error', ignore);
      const queue = options.gather === true ? new StatementQueue(client) : undefined;
      const db = queue ? gathering(queue) : dbOver(client);
      try {
        // Statements of a connection run in order, so those of the work need not wait for this one's answer.
        const begun = db.query('begin');
        begun.catch(() => undefined);
        if (!queue) await begun;
        const result = await work(db);
        await begun;
        await db.query('commit');
        client.off('error', ignore).release();
        return result;
      } catch (error) {
        queue?.abandon(error);
        await rollback(client);
        throw error;
      }
    },
    close: () => pool.end(),
  };
}

const ignore = (): void => undefined;

async function rollback(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('rollback');
    client.off('error', ignore).release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
  }
}

function gathering(queue: StatementQueue): Db {
  return {
    async query<Row>(statement: string | { name: string; text: string }, values?: readonly unknown[]) {
      const text = typeof statement === 'string' ? { text: statement } : statement;
      const rows = await queue.run({ ...text, ...(values ? { values: [...values] } : {}), types });
      return rows as Row[];
    },
  };
}

function dbOver(client: pg.Pool | pg.PoolClient): Db {
  return {
    async query<Row>(statement: string | { name: string; text: string }, values?: readonly unknown[]) {
      const text = typeof statement === 'string' ? { text: statement } : statement;
      const result = await client.query({ ...text, ...(values ? { values: [...values] } : {}) });
      return result.rows as Row[];
    },
  };
}

const TIMESTAMPTZ = 1184;
const toIso = (text: string): string => new Date(text).toISOString();
const builtIn = pg.types.getTypeParser as (oid: number, format?: string) => (text: string) => unknown;
const getTypeParser = ((oid: number, format?: string) =>
  oid === TIMESTAMPTZ ? toIso : builtIn(oid, format)) as typeof pg.types.getTypeParser;
const types = { getTypeParser };

/** True when the connection failed, not the statement: worth trying again. */
export function isConnectionError(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  const message = error instanceof Error ? error.message : '';
  return (
    /^(08|57P|53)/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT', '25P03'].includes(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered/.test(message)
  );
}

import { openDatabase, type Database } from '../../src/postgres/db.ts';
import { startedDatabase } from './started-database.ts';

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

/** A started database for tables that are filled without events; `settings` are of its one session, as that of requests otherwise. */
export const databaseToFill = async (settings?: Record<string, string>): Promise<Database> =>
  openDatabase({
    ...{ url: await startedDatabase(), max: 1, applicationName: 'rookery api', shortReads: true },
    ...{ statementTimeout: 0, synchronousCommit: false },
    ...(settings ? { settings } : {}),
  });

/** SQL for accounts of this server with the ids from 1 on: user1, user2, and so on. */
export const accountsFilled = (count: number): string =>
  `insert into accounts (id, username, acct_key, uri, url, created_at, profile, body)
   select n, 'user' || n, 'user' || n, 'u' || n, 'u' || n, now(), '{}', '{}' from generate_series(1, ${count}) n`;

/** The same plan whatever the values are: that of a prepared statement, after its first five runs. */
export const ONE_PLAN = { plan_cache_mode: 'force_generic_plan' };

/**
 * Rows of tables and indexes that a statement reads, in vain or not. A node says how many there were in each loop, rounded where
 * there were more loops.
 */
export async function rowsRead(db: Database, text: string, values: readonly unknown[]): Promise<number> {
  const types = values.map(() => 'unknown').join(', ');
  const literals = values.map(literal).join(', ');
  await db.query('deallocate all');
  await db.query(`prepare asked (${types}) as ${text}`);
  const [row] = await db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, timing off, format json) execute asked (${literals})`,
  );
  return rowsOf(row!['QUERY PLAN'][0].Plan);
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return literal(`{${value.join(',')}}`);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `'${text.replaceAll("'", "''")}'`;
}

/** Where rows are looked at that nobody has looked at for the same row before. */
const READING = ['Bitmap Index Scan', 'Materialize'];

/** What is read; the rows that are handed on from there are the same ones. */
function rowsOf(plan: Plan): number {
  const isRead = plan['Relation Name'] !== undefined || READING.includes(plan['Node Type']);
  const rows =
    plan['Actual Rows'] +
    (plan['Rows Removed by Filter'] ?? 0) +
    (plan['Rows Removed by Index Recheck'] ?? 0);
  const own = isRead ? plan['Actual Loops'] * rows : 0;
  return (plan.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), own);
}

import { type Database, openDatabase } from '#storage/postgres/db.ts';
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

/**
 * A started database whose tables are filled without events. `settings` apply to its one session, as they do
 * for requests.
 */
export const databaseToFill = async (settings?: Record<string, string>): Promise<Database> =>
  openDatabase({
    url: await startedDatabase(),
    max: 1,
    applicationName: 'rookery api',
    shortReads: true,
    statementTimeout: 0,
    synchronousCommit: false,
    ...(settings ? { settings } : {}),
  });

/** SQL that inserts accounts of this server with ids from 1 on: user1, user2, and so on. */
export const accountsFilled = (count: number): string =>
  `insert into accounts (id, username, acct_key, uri, url, created_at, profile, body)
   select n, 'user' || n, 'user' || n, 'u' || n, 'u' || n, now(), '{}', '{}' from generate_series(1, ${count}) n`;

/** Forces a generic plan: the plan of a prepared statement after its first five runs. */
export const ONE_PLAN = { plan_cache_mode: 'force_generic_plan' };

/**
 * Returns how many rows of tables and indexes a statement reads, including those it discards. A node reports
 * the rows per loop, rounded when there is more than one loop.
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

/** Nodes that read rows of their own. */
const READING = ['Bitmap Index Scan', 'Materialize'];

/** Nodes that read tables or indexes; the other nodes pass these rows on. */
function rowsOf(plan: Plan): number {
  const isRead = plan['Relation Name'] !== undefined || READING.includes(plan['Node Type']);
  const rows =
    plan['Actual Rows'] +
    (plan['Rows Removed by Filter'] ?? 0) +
    (plan['Rows Removed by Index Recheck'] ?? 0);
  const own = isRead ? plan['Actual Loops'] * rows : 0;
  return (plan.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), own);
}

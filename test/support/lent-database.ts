import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { dropDatabase } from './database.ts';
import { PATIENCE } from './eventually.ts';
import { startedDatabase } from './started-database.ts';

/** A database in the state that the first start leaves, borrowed for a while. */
export interface LentDatabase {
  url: string;
  /** Resets it for the next suite. All connections to it must be closed. */
  giveBack(): Promise<void>;
}

/** The recorded state of an unused database. */
interface Pristine {
  /** Tables, columns, functions and other schema objects. */
  catalogs: string;
  /** The rows of each table that has some, as JSON. */
  rows: Map<string, string>;
  /** SQL. */
  sequences: string;
  /** The planner's estimates of rows and pages of each table and index, as JSON. */
  estimates: string;
}

const free: string[] = [];
let known: Promise<Pristine> | undefined;

/**
 * Lends a database that other suites may have used before, reset to its initial state: emptied tables have no
 * pages, and sequences and planner estimates are those of the template. A database in which anything but rows
 * was changed is dropped. Creating and dropping the thousand files of a database takes longer than most
 * suites do with it.
 */
export async function lendDatabase(): Promise<LentDatabase> {
  const url = free.pop() ?? (await startedDatabase());
  const pristine = await (known ??= withClient(url, look));
  return {
    url,
    async giveBack() {
      if (await withClient(url, (client) => empty(client, pristine))) free.push(url);
      else await dropDatabase(url);
    },
  };
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'rookery specs' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** First id of an object that is not built in: PostgreSQL's FirstNormalObjectId. */
const FIRST = 16_384;
const CATALOGS = [
  ...['pg_constraint', 'pg_trigger', 'pg_namespace', 'pg_type'].map((name) => changesOf(name, 'oid')),
  changesOf('pg_attribute', 'attrelid'),
  // Every start rewrites these.
  `select sum(hashtextextended(row(oid, proname, prosrc)::text, 0)::numeric) from pg_proc where oid >= ${FIRST}`,
  // Vacuum and `ESTIMATE` change rows of this one.
  `select sum(hashtextextended(row(oid, relname, relnamespace, relfilenode, reloptions)::text, 0)::numeric)
   from pg_class where oid >= ${FIRST}`,
  `select count(*) from pg_stats where schemaname not in ('pg_catalog', 'information_schema')`,
  `select count(*) from pg_db_role_setting where setdatabase = (select oid from pg_database where datname = current_database())`,
].map((query) => `(${query})::text`);

/** Each change leaves another transaction id, or another number of rows. */
function changesOf(catalog: string, id: string): string {
  return `select count(*) || '/' || coalesce(sum(xmin::text::bigint), 0) from ${catalog} where ${id} >= ${FIRST}`;
}

const WITH_PAGES = `select oid::regclass::text as table from pg_class
  where relkind = 'r' and oid >= ${FIRST} and pg_relation_size(oid) > 0 order by 1`;

const LOOK = `select concat_ws(' ', ${CATALOGS.join(', ')}) as catalogs,
  (select string_agg(format('select setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
     coalesce(last_value, start_value), last_value is not null), ';') from pg_sequences) as sequences,
  (select json_agg(json_build_object('id', oid::bigint, 'pages', relpages, 'tuples', reltuples))
   from pg_class where relkind in ('r', 'i', 't') and oid >= ${FIRST})::text as estimates`;

async function look(client: pg.Client): Promise<Pristine> {
  const { rows: seen } = await client.query<Omit<Pristine, 'rows'>>(LOOK);
  const rows = new Map<string, string>();
  for (const table of await withPages(client)) {
    const { rows: texts } = await client.query<{ rows: string }>(
      `select json_agg(t)::text as rows from ${table} t`,
    );
    rows.set(table, texts[0]!.rows);
  }
  return { ...seen[0]!, rows };
}

async function withPages(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(WITH_PAGES);
  return rows.map(({ table }) => table);
}

const ESTIMATE = `select pg_restore_relation_stats('schemaname', nspname::text, 'relname', relname::text,
    'relpages', pages, 'reltuples', tuples)
  from json_to_recordset($1) as known (id bigint, pages int, tuples real)
  join pg_class c on c.oid = id::oid join pg_namespace n on n.oid = relnamespace
  where (relpages, reltuples) is distinct from (pages, tuples) and nspname <> 'pg_toast'`;

/** Waits until closed connections are gone. @returns whether they are */
async function isLeft(client: pg.Client): Promise<boolean> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const { rows } = await client.query<{ others: number }>(
      `select count(*)::int as others from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    if (rows[0]!.others === 0) return true;
    if (Date.now() > end) return false;
    await sleep(5);
  }
}

/** Returns whether the database is in its initial state. */
async function empty(client: pg.Client, pristine: Pristine): Promise<boolean> {
  if (!(await isLeft(client))) return false;
  const { rows } = await client.query<{ catalogs: string }>(
    `select concat_ws(' ', ${CATALOGS.join(', ')}) as catalogs`,
  );
  if (rows[0]!.catalogs !== pristine.catalogs) return false;
  const used = await withPages(client);
  const refill = [...pristine.rows].map(
    ([table, texts]) =>
      `insert into ${table} overriding system value
       select * from json_populate_recordset(null::${table}, ${client.escapeLiteral(texts)})`,
  );
  await client.query(used.map((table) => `delete from ${table}`).join(';'));
  await client.query(`vacuum (index_cleanup on, skip_database_stats, parallel 0) ${used.join(', ')}`);
  await client.query([...refill, pristine.sequences].join(';'));
  await client.query(ESTIMATE, [pristine.estimates]);
  return String(await withPages(client)) === String([...pristine.rows.keys()]);
}

import type { Db } from '#kernel/read.ts';
import { READ_MODELS } from '../db.ts';

/** The schemas that hold data about users beside the log. */
const SCHEMAS = [READ_MODELS, 'durable', 'jobs'];

/**
 * Removes dead rows from the pages of tables, and values of dead rows from the statistics of the planner.
 * Readers and writers go on meanwhile.
 */
export async function vacuumChanged(db: Db): Promise<void> {
  const rows = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
     where schemaname = any($1::text[]) and n_dead_tup > 0 order by 1`,
    [SCHEMAS],
  );
  // `skip_locked` passes over a table that a rebuild is about to replace.
  for (const { name } of rows) await db.query(`vacuum (analyze, skip_locked) ${name}`);
}

/**
 * Writes all tables with data about users anew, ends the current file of the write-ahead log, and lets
 * PostgreSQL recycle the older ones. Each table is locked while it is written.
 * @returns the number of tables, and of files of the write-ahead log, which are overwritten by and by
 */
export async function vacuumFully(db: Db): Promise<{ tables: number; walFiles: number | undefined }> {
  const rows = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname = any($1::text[]) order by 1`,
    [SCHEMAS],
  );
  for (const { name } of rows) await db.query(`vacuum (full, analyze) ${name}`);
  return { tables: rows.length, walFiles: await recycleWal(db) };
}

/** Returns undefined where the role may not do that: only superusers may, and the embedded PostgreSQL has none. */
async function recycleWal(db: Db): Promise<number | undefined> {
  try {
    await db.query('select pg_switch_wal()');
    await db.query('checkpoint');
    const [row] = await db.query<{ count: number }>('select count(*)::int as count from pg_ls_waldir()');
    return row?.count;
  } catch (error) {
    if ((error as { code?: unknown }).code === '42501') return undefined;
    throw error;
  }
}

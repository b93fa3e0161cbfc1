import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../kernel/read.ts';
import { READ_MODELS, type Database } from './db.ts';

/** Milliseconds between two tries. */
const PAUSE = 200;
/** Covers a reader of a minute or two. */
const TRIES = 60;
/** `lock_not_available` and `deadlock_detected`: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const IN_THE_WAY = ['55P03', '40P01'];

/**
 * Runs a transaction that replaces live tables, and retries while readers block it. Readers of several tables
 * take their locks in any order, so a deadlock is possible; `holdTables` gives way.
 */
export async function swapTables(db: Database, work: (db: Db) => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await db.transaction(work);
      return;
    } catch (error) {
      if (tries === TRIES || !IN_THE_WAY.includes((error as { code?: string }).code ?? '')) throw error;
    }
    await sleep(PAUSE);
  }
}

/**
 * Locks existing live tables exclusively. A session checks for a deadlock once, after `deadlock_timeout`, and
 * aborts itself. With a wait slightly longer than that, no reader ever runs into one. A shorter wait would
 * never make autovacuum give way.
 */
export async function holdTables(db: Db, tables: readonly string[]): Promise<void> {
  const rows = await db.query<{ name: string }>(
    `select to_regclass(name)::text as name from unnest($1::text[]) name
     where to_regclass(name) is not null
       and set_config('lock_timeout',
         (extract(epoch from current_setting('deadlock_timeout')::interval) * 1000 + 100)::int::text, true) <> ''`,
    [tables.map((table) => `${READ_MODELS}.${table}`)],
  );
  if (rows.length > 0)
    await db.query(`lock table ${rows.map(({ name }) => name).join(', ')} in access exclusive mode`);
}

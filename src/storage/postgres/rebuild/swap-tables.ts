import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '#kernel/read.ts';
import { type Database, READ_MODELS } from '../db.ts';

/** Milliseconds between two tries. */
const PAUSE = 200;
/** Milliseconds that a try waits for one table: new readers of it wait as long. */
const SHORT = 50;
/** Covers a reader of a minute or two. */
const TRIES = 400;
/** Autovacuum gives way only to one that waits for `deadlock_timeout`, so one try of so many waits as long. */
const LONG_TRY = 10;
/** `lock_not_available` and `deadlock_detected`: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const IN_THE_WAY = ['55P03', '40P01'];

export interface SwapSteps {
  /** Runs before each try, without its locks. */
  before: () => Promise<void>;
  swap: (db: Db, patience: Patience) => Promise<void>;
}

/**
 * Runs a transaction that replaces live tables, and retries while readers block it. Readers of several tables
 * take their locks in any order, so a deadlock is possible; `holdTables` gives way.
 */
export async function swapTables(db: Database, { before, swap }: SwapSteps): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await before();
    try {
      await db.transaction((transaction) => swap(transaction, tries % LONG_TRY === 0 ? 'long' : 'short'));
      return;
    } catch (error) {
      if (tries === TRIES || !IN_THE_WAY.includes((error as { code?: string }).code ?? '')) throw error;
    }
    await sleep(PAUSE);
  }
}

/** The time that a try waits for each table. */
export type Patience = 'short' | 'long';

/**
 * Locks existing live tables exclusively, one after the other in the given order. A session checks for a deadlock once, after
 * `deadlock_timeout`, and aborts itself. A short try ends before any reader gets there. A long one waits slightly longer, so that it
 * is not the reader that is aborted, unless the reader began to wait earlier.
 */
export async function holdTables(db: Db, tables: readonly string[], patience: Patience): Promise<void> {
  const rows = await db.query<{ name: string }>(
    `select to_regclass(name)::text as name from unnest($1::text[]) name
     where to_regclass(name) is not null
       and set_config('lock_timeout', case when $2 = 'short' then '${SHORT}' else
         (extract(epoch from current_setting('deadlock_timeout')::interval) * 1000 + 100)::int::text end, true) <> ''`,
    [tables.map((table) => `${READ_MODELS}.${table}`), patience],
  );
  for (const { name } of rows) await db.query(`lock table ${name} in access exclusive mode`);
}

import type { Db } from '#kernel/read.ts';

/**
 * Durable tables that backups omit, each with the reason. All others are included, also those of later
 * versions.
 */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  projections: 'read models are built anew from the log',
  log_verifications: 'a restore verifies the log itself',
  damaged_events: 'a restore finds damaged events again: it reads and verifies the log',
  log_witnesses: 'it says what the witnesses know, which a restored server asks them again',
  backups: 'it tells which backups were made, once they are complete',
  projection_rates: 'it tells how fast this server followed its log in the last hour',
  projection_runs: 'it tells of rebuilds of this database',
  timers: 'it tells what the timers of this server did, and when they run next',
  program_versions: 'it tells which versions have used this database',
  first_owner: 'it tells that a start makes the account of the owner right now',
  archives: 'a backup does not contain their files: users request their archive again',
  media_cache: 'its files are not in a backup: they are fetched again',
  media_cache_totals: 'it counts the files of media_cache',
  migrations: 'a restore makes the tables itself',
  migrations_lock: 'a restore makes the tables itself',
};

/**
 * Tables that backups contain in clear text, each with the reason. All others are sealed: they hold addresses, push endpoints,
 * rows of imports and more.
 */
export const CLEAR: Readonly<Record<string, string>> = {
  subject_keys:
    'the master key encrypts each key, and a restore tries them to tell whether it has the right one',
  log_checkpoints: 'auditors verify the log in a backup without its keys',
  log_divergences: 'auditors verify the log in a backup without its keys',
};

/** The table of the log in the database. */
export const LOG_TABLE = 'eventlog.events';

/** Returns the durable tables of a backup; tables that others refer to come first. */
export async function backedUpTables(db: Db): Promise<string[]> {
  const rows = await db.query<{ name: string; refers_to: string[] }>(
    `select c.relname::text as name, array(
       select r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
       where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as refers_to
     from pg_class c where c.relnamespace = 'durable'::regnamespace and c.relkind = 'r'
     order by c.relname`,
  );
  const waiting = new Map(
    rows.filter(({ name }) => !(name in LEFT_OUT)).map(({ name, refers_to }) => [name, refers_to]),
  );
  const ordered: string[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting].filter(([, others]) => others.every((other) => !waiting.has(other)));
    if (ready.length === 0) throw new Error(`Tables refer to each other: ${[...waiting.keys()].join(', ')}`);
    for (const [name] of ready) {
      ordered.push(name);
      waiting.delete(name);
    }
  }
  return ordered;
}

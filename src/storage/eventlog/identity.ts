import { ConfigError } from '#config/config.ts';
import { RookeryError } from '#kernel/errors.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { EventLog, EventStore } from './port.ts';

const NO_EVENTS = 'it has no events';

/** The part of a log that distinguishes it from others. */
type FirstEvents = Pick<EventStore, 'readAll' | 'head'>;

const KNOWN = statement<{ position: string; event_id: string }>(
  'log_identity_known',
  'select position, event_id from durable.log_identity',
);
const NOTE = statement(
  'log_identity_note',
  'insert into durable.log_identity (position, event_id) values ($1, $2) on conflict do nothing',
);
/**
 * Read models, reactors and checkpoints of the tree must not be ahead of the log: they would skip the next
 * events. The one that is furthest, with its name.
 */
const REACHED = statement<{ position: string; name: string }>(
  'log_identity_reached',
  `select position, name from (
     select position, 'the read model ' || name as name from durable.projections
     union all select position, 'the reactor ' || name from durable.reactors
     union all select position, 'the signed checkpoint of ' || tree_size || ' events' from durable.log_checkpoints
   ) known order by position desc, name limit 1`,
);
const KEEP =
  'Keep DATA_DIR as it is: it has keys.json, without which nothing that people wrote can be read again. A new log needs a new database.';

/**
 * Compares the log with the one that the read models were made from: it must begin with the same event at the
 * same position, and reach as far as they do. A shorter log would grow over positions that they have passed,
 * and new events would never show. A new log is noted.
 * @param setting the value of `EVENTSTORE_URL`
 * @returns the fault, for the operator; undefined without one
 */
export async function foreignLog(
  store: FirstEvents,
  db: Db,
  setting: string | undefined,
): Promise<ConfigError | RookeryError | undefined> {
  const difference = await differentStart(store, db);
  if (difference !== undefined) return anotherLog(difference, setting);
  const end = await missingEnd(store, db);
  if (end === undefined) {
    await noteLog(store, db);
    return undefined;
  }
  return end.head === 0n ? anotherLog(NO_EVENTS, setting) : lostEnd(end, setting);
}

/** The log is another one: mostly a wrong setting. In the database, only an empty log may be the wrong one of two. */
function anotherLog(difference: string, setting: string | undefined): ConfigError | RookeryError {
  const other = `not the one that the read models are made of: ${difference}.`;
  if (setting !== undefined) {
    return new ConfigError([
      `EVENTSTORE_URL names a log that is ${other}`,
      'Set it to that one, or unset it where that is in the database.',
      KEEP,
    ]);
  }
  if (difference === NO_EVENTS) {
    return new ConfigError([
      `EVENTSTORE_URL is not set, and the log in the database is ${other}`,
      'If the log of this server is in EventStoreDB, set EVENTSTORE_URL to it. Otherwise restore a backup of the database.',
      KEEP,
    ]);
  }
  const remedy = 'Restore the whole database from one backup: tables of two servers were mixed.';
  return refusal([`The log in the database is ${other}`, remedy, KEEP]);
}

function lostEnd({ head, reached, by }: MissingEnd, setting: string | undefined): RookeryError {
  const place = setting === undefined ? 'in the database' : 'at EVENTSTORE_URL';
  return refusal([
    `The log ${place} ends at position ${head}, and ${by} is at position ${reached}.`,
    'Either the log lost its end, or this position was changed. "rookery log accept-loss" describes what is missing; with --yes it builds the read models of the log as it is.',
    KEEP,
  ]);
}

const refusal = (lines: readonly string[]): RookeryError => new RookeryError('conflict', lines.join('\n'));

/** Describes how the start of a log differs from the log of the read models; undefined when it does not. */
export async function differentStart(store: FirstEvents, db: Db): Promise<string | undefined> {
  const [known] = await db.query(KNOWN);
  if (!known) return undefined;
  const [first] = await store.readAll(0n, 1);
  if (!first) return NO_EVENTS;
  const same = first.id === known.event_id && String(first.position) === known.position;
  return same ? undefined : 'it begins with another event';
}

/** A log that ends before what was made of it. */
export interface MissingEnd {
  /** The position of the last event. */
  head: bigint;
  /** How far the database knows the log. */
  reached: bigint;
  /** The part of the database that knows it so far, for people: `the read model polls`. */
  by: string;
}

/** Returns how far the log ends before what the database knows of it; undefined where it does not. */
export async function missingEnd(store: Pick<EventStore, 'head'>, db: Db): Promise<MissingEnd | undefined> {
  // Asked before the log, which others may make longer meanwhile.
  const [row] = await db.query(REACHED);
  if (!row) return undefined;
  const reached = BigInt(row.position);
  const head = await store.head();
  return head < reached ? { head, reached, by: row.name } : undefined;
}

/** Keeps which log this is, once it has begun. */
async function noteLog(store: FirstEvents, db: Db): Promise<void> {
  const [first] = await store.readAll(0n, 1);
  if (first) await db.query(NOTE, [String(first.position), first.id]);
}

/** The log for those who make read models of it: which one it is, is noted before they hear of its first event. */
export function notedLog(log: EventLog, store: FirstEvents, db: Db): EventLog {
  let noting: Promise<void> | undefined;
  const noted = (): Promise<void> =>
    (noting ??= noteLog(store, db).catch((error: unknown) => {
      noting = undefined;
      throw error;
    }));
  return {
    ...log,
    async *subscribeAll(after, options) {
      for await (const events of log.subscribeAll(after, options)) {
        await noted();
        yield events;
      }
    },
  };
}

import { ConfigError } from '../../config/config.ts';
import { statement, type Db } from '../../kernel/read.ts';
import type { EventLog, EventStore } from './port.ts';

/** The part of a log that distinguishes it from others. */
type FirstEvents = Pick<EventStore, 'readAll' | 'head'>;

const KNOWN = statement('log_identity_known', 'select position, event_id from durable.log_identity');
const NOTE = statement(
  'log_identity_note',
  'insert into durable.log_identity (position, event_id) values ($1, $2) on conflict do nothing',
);
/**
 * Read models, reactors and checkpoints of the tree must not be ahead of the log: they would skip the next
 * events.
 */
const REACHED = statement(
  'log_identity_reached',
  `select coalesce(greatest(
     (select max(position) from durable.projections),
     (select max(position) from durable.reactors),
     (select max(position) from durable.log_checkpoints)), 0) as position`,
);

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
): Promise<ConfigError | undefined> {
  const difference = (await differentStart(store, db)) ?? textOf(await missingEnd(store, db));
  if (difference === undefined) {
    await noteLog(store, db);
    return undefined;
  }
  const [here, remedy] =
    setting === undefined
      ? ['EVENTSTORE_URL is not set, and the log in the database is', 'Set it to that one']
      : [
          'EVENTSTORE_URL names a log that is',
          'Set it to that one, or unset it where that is in the database',
        ];
  return new ConfigError([
    `${here} not the one that the read models are made of: ${difference}.`,
    `${remedy}. If it is that log, restored without its end, "rookery log accept-loss" describes the loss and accepts it.`,
    'Keep DATA_DIR as it is: it has keys.json, without which nothing that people wrote can be read again. A new log needs a new database.',
  ]);
}

/** Describes how the start of a log differs from the log of the read models; undefined when it does not. */
export async function differentStart(store: FirstEvents, db: Db): Promise<string | undefined> {
  const [known] = await db.query<{ position: string; event_id: string }>(KNOWN);
  if (!known) return undefined;
  const [first] = await store.readAll(0n, 1);
  if (!first) return 'it has no events';
  const same = first.id === known.event_id && String(first.position) === known.position;
  return same ? undefined : 'it begins with another event';
}

/** A log that ends before what was made of it. */
export interface MissingEnd {
  /** The position of the last event. */
  head: bigint;
  /** How far the database knows the log. */
  reached: bigint;
}

/** Returns how far the log ends before what the database knows of it; undefined where it does not. */
export async function missingEnd(store: Pick<EventStore, 'head'>, db: Db): Promise<MissingEnd | undefined> {
  // Asked before the log, which others may make longer meanwhile.
  const [row] = await db.query<{ position: string }>(REACHED);
  const reached = BigInt(row?.position ?? 0);
  const head = await store.head();
  return head < reached ? { head, reached } : undefined;
}

const textOf = (end: MissingEnd | undefined): string | undefined =>
  end && `it ends at position ${end.head}, and they know events up to ${end.reached}`;

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

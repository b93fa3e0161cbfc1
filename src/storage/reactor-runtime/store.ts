import type { RecordedEvent } from '#kernel/event.ts';
import { type Db, statement } from '#kernel/read.ts';
import { errorText } from '../postgres/projector/failures.ts';

/** An event that a reactor could not handle, and that waits for the operator. */
export interface DeadLetter {
  reactor: string;
  event_id: string;
  event_type: string;
  stream: string;
  /** The position in the log. */
  position: string;
  attempts: number;
  error: string;
  /** ISO 8601. */
  set_aside_at: string;
}

/** The stored state of a reactor. */
export interface ReactorState {
  name: string;
  position: bigint;
  deadLettered: number;
}

/** Tells the holder of the lock that an event is to be retried. */
export const RETRY_CHANNEL = 'rookery_reactors';

const COLUMNS = 'reactor, event_id, event_type, stream, position, attempts, error, set_aside_at';
const REGISTER = statement(
  'reactors_register',
  `insert into durable.reactors (name, position) select * from unnest($1::text[], $2::bigint[])
   on conflict (name) do nothing`,
);
const POSITIONS = statement<{ name: string; position: string }>(
  'reactors_positions',
  'select name, position from durable.reactors',
);
const ADVANCE = statement(
  'reactors_advance',
  `update durable.reactors r set position = u.position
   from unnest($1::text[], $2::bigint[]) u (name, position)
   where r.name = u.name and r.position < u.position`,
);
const STATES = statement<{ name: string; position: string; set_aside: number }>(
  'reactors_states',
  `select r.name, r.position, count(s.event_id)::int as set_aside
   from durable.reactors r left join durable.set_aside_events s on s.reactor = r.name
   group by r.name order by r.name`,
);
const SET_ASIDE = statement(
  'reactors_set_aside',
  `insert into durable.set_aside_events (reactor, event_id, event_type, stream, position, attempts, error)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (reactor, event_id) do update
   set attempts = set_aside_events.attempts + excluded.attempts, error = excluded.error,
     set_aside_at = now(), retry = false`,
);
const LIST = statement<DeadLetter>(
  'reactors_list_set_aside',
  `select ${COLUMNS} from durable.set_aside_events order by reactor, position limit 1000`,
);
const ASK = statement<{ event_id: string }>(
  'reactors_ask_retry',
  `update durable.set_aside_events set retry = true
   where ($1::text is null or reactor = $1) and ($2::uuid is null or event_id = $2) returning event_id`,
);
const ASKED = statement<DeadLetter>(
  'reactors_asked_retry',
  `select ${COLUMNS} from durable.set_aside_events where retry order by position limit 100`,
);
const TAKEN = statement(
  'reactors_taken',
  'delete from durable.set_aside_events where reactor = $1 and event_id = $2',
);

/** Gives new reactors their position in the log. */
export async function register(db: Db, positions: ReadonlyMap<string, bigint>): Promise<void> {
  await db.query(REGISTER, [[...positions.keys()], [...positions.values()].map(String)]);
}

/** Returns the position of each reactor. */
export async function positionsOf(db: Db): Promise<Map<string, bigint>> {
  const rows = await db.query(POSITIONS);
  return new Map(rows.map(({ name, position }) => [name, BigInt(position)]));
}

/** Moves checkpoints forward, never back. */
export async function advance(db: Db, positions: ReadonlyMap<string, bigint>): Promise<void> {
  await db.query(ADVANCE, [[...positions.keys()], [...positions.values()].map(String)]);
}

/** Returns every reactor that ever ran, by name. */
export async function reactorStates(db: Db): Promise<ReactorState[]> {
  const rows = await db.query(STATES);
  return rows.map(({ name, position, set_aside }) => ({
    name,
    position: BigInt(position),
    deadLettered: set_aside,
  }));
}

/** @throws Error when events wait for the operator */
export async function assertNoDeadLetters(db: Db): Promise<void> {
  const names = (await reactorStates(db)).filter((state) => state.deadLettered > 0).map(({ name }) => name);
  if (names.length > 0) throw new Error(`Events were dead-lettered by ${names.join(', ')}`);
}

/** Stores an event that could not be handled. */
export async function storeDeadLetter(
  db: Db,
  reactor: string,
  event: RecordedEvent,
  { attempts, error }: { attempts: number; error: unknown },
): Promise<void> {
  await db.query(SET_ASIDE, [
    reactor,
    event.id,
    event.type,
    event.stream,
    String(event.position),
    attempts,
    errorText(error),
  ]);
}

/** Returns the oldest thousand events that wait for the operator. */
export const listDeadLetters = (db: Db): Promise<DeadLetter[]> => db.query(LIST);

/**
 * Requests a retry of dead-lettered events: of all, of one reactor's, or of one event. The process that runs
 * the reactors retries them, immediately or when it starts.
 * @returns the number of events
 */
export async function askRetry(db: Db, which: { reactor?: string; eventId?: string }): Promise<number> {
  const rows = await db.query(ASK, [which.reactor ?? null, which.eventId ?? null]);
  await db.query(`notify ${RETRY_CHANNEL}`);
  return rows.length;
}

/** Returns the oldest events that the operator wants to be retried. */
export const askedRetries = (db: Db): Promise<DeadLetter[]> => db.query(ASKED);

/** Forgets a dead-lettered event that was handled after all, or that is gone. */
export async function forget(db: Db, { reactor, event_id }: DeadLetter): Promise<void> {
  await db.query(TAKEN, [reactor, event_id]);
}

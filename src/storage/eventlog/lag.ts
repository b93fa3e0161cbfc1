import type { EventLog } from './port.ts';

/** The lag of a reader of the log. */
export interface Lag {
  /** Positions; with EventStoreDB these exceed the events. */
  positions: bigint;
  /** Seconds that the oldest unhandled event has waited; 0 without one, undefined when it cannot be read. */
  seconds: number | undefined;
}

/**
 * Returns the lag of each of some positions behind the head of the log. It reads one event for each position
 * with a lag, however long the log; `now` is in milliseconds since 1970. A command that is repeated with its
 * Idempotency-Key keeps the time of the first try, so an event that was just appended may seem to have waited
 * for up to a day.
 */
export async function lagsBehind(
  log: Pick<EventLog, 'head' | 'readAll'>,
  positions: readonly bigint[],
  now: number,
): Promise<Lag[]> {
  const head = await log.head();
  const oldest = new Map<bigint, Promise<number | undefined>>();
  const seconds = async (position: bigint): Promise<number | undefined> => {
    const known = oldest.get(position) ?? timeAfter(log, position);
    oldest.set(position, known);
    const time = await known;
    return time === undefined ? undefined : Math.max(0, (now - time) / 1_000);
  };
  return Promise.all(
    positions.map(async (position) =>
      head > position
        ? { positions: head - position, seconds: await seconds(position) }
        : { positions: 0n, seconds: 0 },
    ),
  );
}

/** The number of events after a position. */
export interface EventsBehind {
  events: number;
  /** More than `COUNTED` events wait; the rest are assumed to be equally dense. */
  estimated: boolean;
}

/** Events that are counted one by one. */
const COUNTED = 1_000;

/**
 * Returns how many events follow each of some positions; undefined when the log cannot be read from there.
 */
export async function eventsBehind(
  log: Pick<EventLog, 'head' | 'readAll'>,
  positions: readonly bigint[],
): Promise<(EventsBehind | undefined)[]> {
  const head = await log.head();
  const known = new Map<bigint, Promise<EventsBehind | undefined>>();
  return Promise.all(
    positions.map((position) => {
      const counted = known.get(position) ?? countBehind(log, position, head);
      known.set(position, counted);
      return counted;
    }),
  );
}

/** How far a reader is behind the log, for people; null where it cannot be read. */
export interface Behind {
  events: number | null;
  estimated: boolean;
  seconds: number | null;
}

export const UNREADABLE: Behind = { events: null, estimated: false, seconds: null };

/** Returns the events and the seconds by which each of some positions is behind the head of the log. */
export async function behind(
  log: Pick<EventLog, 'head' | 'readAll'>,
  positions: readonly bigint[],
  now: number,
): Promise<Behind[]> {
  const [counts, lags] = await Promise.all([eventsBehind(log, positions), lagsBehind(log, positions, now)]);
  return positions.map((_, index) => ({
    events: counts[index]?.events ?? null,
    estimated: counts[index]?.estimated ?? false,
    seconds: lags[index]?.seconds ?? null,
  }));
}

async function countBehind(
  log: Pick<EventLog, 'readAll'>,
  from: bigint,
  head: bigint,
): Promise<EventsBehind | undefined> {
  if (from >= head) return { events: 0, estimated: false };
  const page = await log.readAll(from, COUNTED, { keepUnreadable: true }).catch(() => undefined);
  const position = page?.at(-1)?.position;
  if (!page || position === undefined) return undefined;
  if (page.length < COUNTED) return { events: page.length, estimated: false };
  // With consecutive positions, as in Postgres, the difference is the count.
  const isConsecutive = position - from === BigInt(page.length);
  const perPosition = page.length / Number(position - from);
  const rest = Math.round(Math.max(Number(head - position), 0) * perPosition);
  return { events: page.length + rest, estimated: !isConsecutive };
}

/** Returns when the first event after a position happened, in milliseconds since 1970. */
async function timeAfter(log: Pick<EventLog, 'readAll'>, position: bigint): Promise<number | undefined> {
  const [event] = await log.readAll(position, 1, { keepUnreadable: true }).catch(() => []);
  return event && Date.parse(event.metadata.time);
}

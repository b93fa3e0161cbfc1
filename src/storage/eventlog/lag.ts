import type { EventLog } from './port.ts';

/** How far a reader of the log is behind. */
export interface Lag {
  /** Positions; with EventStoreDB more than events. */
  positions: bigint;
  /** For how long the oldest event waits that is not taken yet; 0 where none is, undefined where it cannot be read. */
  seconds: number | undefined;
}

/**
 * How far each of some positions is behind the head of the log. One event is read for each that is, however long the log; `now` is
 * in milliseconds since 1970. Commands that are repeated with their Idempotency-Key have the time of the first try, so an
 * event may seem to wait for up to a day that was appended just now.
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

/** How many events wait behind a position. */
export interface EventsBehind {
  events: number;
  /** More than `COUNTED` wait: the rest is taken to be as large as those. */
  estimated: boolean;
}

/** Events that are counted one by one. */
const COUNTED = 1_000;

/** How many events stand behind each of some positions; undefined where the log cannot be read on from there. */
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

async function countBehind(
  log: Pick<EventLog, 'readAll'>,
  from: bigint,
  head: bigint,
): Promise<EventsBehind | undefined> {
  if (from >= head) return { events: 0, estimated: false };
  const page = await log.readAll(from, COUNTED).catch(() => undefined);
  const position = page?.at(-1)?.position;
  if (!page || position === undefined) return undefined;
  if (page.length < COUNTED) return { events: page.length, estimated: false };
  // Positions of consecutive events, as in Postgres, are the count itself.
  const isConsecutive = position - from === BigInt(page.length);
  const perPosition = page.length / Number(position - from);
  const rest = Math.round(Math.max(Number(head - position), 0) * perPosition);
  return { events: page.length + rest, estimated: !isConsecutive };
}

/** When the first event behind a position happened, in milliseconds since 1970. */
async function timeAfter(log: Pick<EventLog, 'readAll'>, position: bigint): Promise<number | undefined> {
  const [event] = await log.readAll(position, 1).catch(() => []);
  return event && Date.parse(event.metadata.time);
}

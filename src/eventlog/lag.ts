import type { EventLog } from './port.ts';

/** How far somebody who follows the log is behind. */
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

/** When the first event behind a position happened, in milliseconds since 1970. */
async function timeAfter(log: Pick<EventLog, 'readAll'>, position: bigint): Promise<number | undefined> {
  const [event] = await log.readAll(position, 1).catch(() => []);
  return event && Date.parse(event.metadata.time);
}

/** The progress of a reader of the log that began after `from` (a position; the start unless given). */
export interface LogProgress {
  position: bigint;
  head: bigint;
  /** Events read since `from`. */
  events: number;
  from?: bigint;
}

/** A number of events, and out of how many. */
export interface EventCount {
  done: number;
  total: number;
  /** The total, and the number before `from`, are estimated by positions, which are not consecutive. */
  estimated: boolean;
}

/**
 * Converts a progress in positions to events. In Postgres positions count events; in EventStoreDB they are
 * places on its disk, so the rest is assumed to have as many events per position as the part that was read.
 */
export function countEvents({ position, head, events, from = 0n }: LogProgress): EventCount {
  const passed = position - from;
  if (passed <= 0n) return { done: 0, total: 0, estimated: head > position };
  const perPosition = events / Number(passed);
  const estimated = BigInt(events) !== passed && (head > position || from > 0n);
  const done = Math.round(Number(from) * perPosition) + events;
  const left = head > position ? Math.round(Number(head - position) * perPosition) : 0;
  return { done, total: done + left, estimated };
}

/** Returns the finished share in whole percent, by positions, without an estimate. */
export const percentOf = ({ position, head }: Pick<LogProgress, 'position' | 'head'>): number =>
  head === 0n ? 100 : Number((position * 100n) / head);

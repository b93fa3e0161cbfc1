/** How far a reader of the log is that began behind `from` (a position; the start unless given). */
export interface LogProgress {
  position: bigint;
  head: bigint;
  /** Taken since `from`. */
  events: number;
  from?: bigint;
}

/** A number of events, and out of how many. */
export interface EventCount {
  done: number;
  total: number;
  /** The total, and what lies before `from`, are taken from the share of positions: positions are not those of consecutive events. */
  estimated: boolean;
}

/**
 * Counts in events what is known in positions. Positions of consecutive events are the count itself, as in Postgres; in EventStoreDB
 * they are places on its disk, so the rest is assumed to hold as many events per position as the part that is done.
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

/** The share that is done, in whole percent: by positions, which needs no estimate. */
export const percentOf = ({ position, head }: Pick<LogProgress, 'position' | 'head'>): number =>
  head === 0n ? 100 : Number((position * 100n) / head);

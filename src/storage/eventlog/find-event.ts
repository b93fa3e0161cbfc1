import type { RecordedEvent } from '#kernel/event.ts';
import type { EventLog } from './port.ts';

/** The part of the log used here. */
type Log = Pick<EventLog, 'readAll' | 'head'>;

const PAGE = 1_000;
/**
 * Events compared at a time. An event bears the time at which its command began, so an event of a long or
 * repeated command follows later ones; but never so many of them in a row.
 */
const WINDOW = 100;

/**
 * Returns the last event before the first later one; undefined when all are later.
 * @param time milliseconds since 1970
 */
export async function lastEventUntil(log: Log, time: number): Promise<RecordedEvent | undefined> {
  const isLater = ({ metadata }: RecordedEvent): boolean => Date.parse(metadata.time) > time;
  let last = (await isConsecutive(log)) ? await findNearby(log, isLater) : undefined;
  for await (const page of pagesAfter(log, last?.position ?? 0n)) {
    const first = page.findIndex(isLater);
    if (first === -1) {
      last = page.at(-1);
      continue;
    }
    return page[first - 1] ?? last;
  }
  return last;
}

/**
 * Returns an event before the first later one, by bisection: at most so few pages before it that the rest is
 * read quickly.
 */
async function findNearby(
  log: Log,
  isLater: (event: RecordedEvent) => boolean,
): Promise<RecordedEvent | undefined> {
  /** No event up to this one is later. */
  let known: RecordedEvent | undefined;
  let from = 0n;
  /** One of the events after this position is later. */
  let bound = await log.head();
  while (from < bound) {
    const middle = from + (bound - from) / 2n;
    const page = await log.readAll(middle, WINDOW);
    if (page.some(isLater)) bound = middle;
    else {
      known = page.at(-1) ?? known;
      from = known?.position ?? bound;
    }
  }
  return known;
}

/**
 * Tells whether every number up to the head is a position, as in Postgres. Elsewhere a read can start only at
 * the position of an event.
 */
async function isConsecutive(log: Log): Promise<boolean> {
  const first = await log.readAll(0n, 2);
  return first.every(({ position }, index) => position === BigInt(index + 1));
}

async function* pagesAfter(log: Log, start: bigint): AsyncGenerator<RecordedEvent[]> {
  for (let after = start; ;) {
    const page = await log.readAll(after, PAGE);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last.position;
  }
}

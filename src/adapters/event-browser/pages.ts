import type { EventFilter } from '#kernel/services/event-browser.ts';
import type { EventStore, StoredEvent } from '#storage/eventlog/port.ts';

type Store = Pick<EventStore, 'readBack' | 'readStream' | 'find'>;

/** Yields the events before a position, the newest first. */
export async function* pagesBack(
  store: Store,
  before: bigint | undefined,
  size: number,
): AsyncGenerator<StoredEvent[]> {
  for (let from = before; ;) {
    const page = await store.readBack(from, size);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    from = last.position;
  }
}

/** Yields the events of one stream before a position, the newest first. */
export async function* streamBack(
  store: Store,
  stream: string,
  before: bigint | undefined,
  size: number,
): AsyncGenerator<StoredEvent[]> {
  const place = before === undefined ? undefined : await store.find(before);
  let end = place?.stream === stream ? place.revision : await lengthOf(store, stream);
  while (end > 0) {
    const from = Math.max(0, end - size);
    const bound = end;
    // Revisions have gaps where another program wrote, so the page may go beyond its bound.
    const page = (await store.readStream(stream, from, end - from)).filter(
      ({ revision }) => revision < bound,
    );
    yield page.filter(({ position }) => before === undefined || position < before).toReversed();
    end = from;
  }
}

/** Returns the number of events of a stream, in a logarithmic number of small reads. */
async function lengthOf(store: Store, stream: string): Promise<number> {
  const reaches = async (revision: number): Promise<boolean> =>
    (await store.readStream(stream, revision, 1)).length > 0;
  if (!(await reaches(0))) return 0;
  let known = 0;
  let bound = 1;
  while (await reaches(bound)) [known, bound] = [bound, bound * 2];
  while (bound - known > 1) {
    const middle = Math.floor((known + bound) / 2);
    if (await reaches(middle)) known = middle;
    else bound = middle;
  }
  return bound;
}

/** Returns a test that works on events as they are stored. JSON of metadata has no spaces, and escapes quotes. */
export function matcher({
  types,
  without = [],
  withoutLooksOf,
  from,
  until,
  stream,
  actor,
  correlation,
}: EventFilter): (event: StoredEvent) => boolean {
  const wanted = new Set(types);
  const unwanted = new Set(without);
  const own = withoutLooksOf === undefined ? undefined : byActor(withoutLooksOf);
  const beginning = stream?.endsWith('*') === true ? stream.slice(0, -1) : undefined;
  const needles = [
    ...(actor === undefined ? [] : [byActor(actor)]),
    ...(correlation === undefined ? [] : [`"correlation_id":${JSON.stringify(correlation)}`]),
  ];
  return (event) =>
    (wanted.size === 0 || wanted.has(event.type)) &&
    !unwanted.has(event.type) &&
    !(own !== undefined && event.type === 'AuditViewed' && event.metadata.includes(own)) &&
    (from === undefined || timeOf(event) >= from) &&
    (until === undefined || timeOf(event) < until) &&
    (stream === undefined ||
      (beginning === undefined ? event.stream === stream : event.stream.startsWith(beginning))) &&
    needles.every((needle) => event.metadata.includes(needle));
}

const byActor = (id: string): string => `"actor":{"account_id":${JSON.stringify(id)}`;

/** Returns the time of an event, as ISO 8601 in UTC. JSON of metadata has no spaces. */
export const timeOf = ({ metadata }: Pick<StoredEvent, 'metadata'>): string =>
  /"time":"([^"]+)"/.exec(metadata)?.[1] ?? '';

/** Reads of one search: a log of a billion events takes thirty. */
const MOST_READS = 40;
/** Events that may be read besides. */
const NEAR = 500n;

/**
 * Returns a position that no event before `until` is far above, by halving the log: times follow positions, but for the
 * seconds of a slow command. Undefined where the log has no event at a position, as in EventStoreDB.
 */
export async function positionAround(
  store: Pick<EventStore, 'find' | 'head'>,
  until: string,
): Promise<bigint | undefined> {
  let [low, high] = [0n, await store.head()];
  for (let reads = 0; high - low > NEAR && reads < MOST_READS; reads += 1) {
    const middle = (low + high) / 2n;
    const event = await store.find(middle);
    if (!event) return undefined;
    if (timeOf(event) < until) low = middle;
    else high = middle;
  }
  return high + NEAR;
}

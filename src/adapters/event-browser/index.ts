import { notFound } from '#kernel/errors.ts';
import type { Projection } from '#kernel/projection.ts';
import type { Db } from '#kernel/read.ts';
import type { EventBrowser, EventFilter, EventPage } from '#kernel/services/event-browser.ts';
import type { SubjectKeys } from '#storage/eventlog/codec.ts';
import { type EventStore, NoSuchPosition, type StoredEvent } from '#storage/eventlog/port.ts';
import { describe } from './described.ts';
import { lookedAt } from './looked.ts';
import { matcher, pagesBack, positionAround, streamBack, timeOf } from './pages.ts';
import { collect, failuresOf, readModelsOf } from './trace.ts';

export { readModelsOf } from './trace.ts';

/** The most events that one list looks through. */
const MOST = 5_000;
const PAGE = 500;

interface EventBrowserOptions {
  store: EventStore;
  keys: Pick<SubjectKeys, 'load'>;
  db: Db;
  projections: readonly Projection[];
}

/** Looks into the log as it is stored, so an event that this version cannot read hides no other one. */
export const createEventBrowser = ({ store, keys, db, projections }: EventBrowserOptions): EventBrowser => ({
  async list(filter, { before, limit }) {
    const head = await store.head();
    const { events, ...rest } = await reading(() => look(store, filter, positionOf(before), limit));
    return { head: String(head), events: await describe(events, keys), ...rest };
  },
  async find(position) {
    const event = await store.find(BigInt(position));
    return event && (await describe([event], keys))[0];
  },
  head: async () => String(await store.head()),
  async around(correlation, position) {
    const { events } = await reading(() => collect(store, correlation, { near: BigInt(position) }));
    return describe(events, keys);
  },
  async trace(correlation, { near, before }) {
    const place = { near: positionOf(near), before: positionOf(before) };
    const { events, looked } = await reading(() => collect(store, correlation, place));
    const [head, described, read_models, failures] = await Promise.all([
      store.head(),
      describe(events, keys),
      events.length === 0 ? [] : readModelsOf(events, projections, db),
      events.length === 0 ? [] : failuresOf(events, db),
    ]);
    return { head: String(head), events: described, looked, read_models, failures };
  },
});

async function look(
  store: EventStore,
  filter: EventFilter,
  before: bigint | undefined,
  limit: number,
): Promise<Pick<EventPage, 'looked' | 'next'> & { events: StoredEvent[] }> {
  const { stream, from } = filter;
  const isFiltered = isNarrow(filter);
  const size = isFiltered || stream?.endsWith('*') === true ? PAGE : limit + 1;
  const pages =
    stream === undefined || stream.endsWith('*')
      ? pagesBack(store, await startOf(store, filter, before), size)
      : streamBack(store, stream, before, size);
  const matches = matcher(filter);
  const events: StoredEvent[] = [];
  const seen: StoredEvent[] = [];
  for await (const page of pages) {
    for (const event of page) {
      // Only here is it known that there are more.
      if (from !== undefined && isOlder(event, from)) return { events, ...placeOf(seen, false) };
      if (events.length === limit || seen.length === MOST) return { events, ...placeOf(seen, true) };
      seen.push(event);
      if (matches(event)) events.push(event);
    }
  }
  return { events, ...placeOf(seen, false) };
}

const isNarrow = ({ types, without = [], ...filter }: EventFilter): boolean => {
  const { withoutLooksOf, from, until, actor, correlation } = filter;
  const conditions = [withoutLooksOf, from, until, actor, correlation];
  return types.length + without.length > 0 || conditions.some((each) => each !== undefined);
};

/** Skips what is later than the filter wants; a further look goes on where the last one ended. */
async function startOf(
  store: EventStore,
  { until }: EventFilter,
  before: bigint | undefined,
): Promise<bigint | undefined> {
  if (until === undefined || before !== undefined) return before;
  const around = await positionAround(store, until);
  return around === undefined || around > (await store.head()) ? undefined : around;
}

/** Milliseconds between the time of a command and its place in the log. */
const SLOWEST = 60_000;

const isOlder = (event: StoredEvent, from: string): boolean =>
  Date.parse(timeOf(event)) < Date.parse(from) - SLOWEST;

function placeOf(seen: readonly StoredEvent[], more: boolean): Pick<EventPage, 'looked' | 'next'> {
  const looked = lookedAt(seen.toReversed());
  return { looked, next: more ? looked.first : null };
}

const positionOf = (text: string | undefined): bigint | undefined =>
  text === undefined ? undefined : BigInt(text);

/** EventStoreDB can only read from the position of an event. */
async function reading<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof NoSuchPosition ? notFound() : error;
  }
}

import { isId, timeOfId } from '#kernel/ids.ts';
import type { EventStore, StoredEvent } from './port.ts';

const PAGE = 500;
/** So many pages are read where the newest events have no new id. */
const PAGES = 10;
/**
 * An id that is further ahead of the time of its event was not given by a clock. Ids are ahead after a clock was set back. In
 * milliseconds: a year.
 */
const MOST_AHEAD = 366 * 24 * 3_600_000;
const NAMED_BY_ID = /^[a-z-]+-([0-9]+)$/;

/**
 * Returns the latest moment that the newest events of the log have, in milliseconds since 1970: as the time of an event, or in an id that
 * this server gave. Ids of posts of other servers are from the past, so they never lead. 0 without events.
 */
export async function newestMoment(store: Pick<EventStore, 'readBack'>): Promise<number> {
  let newest = 0;
  let before: bigint | undefined;
  for (let page = 1; page <= PAGES; page += 1) {
    const events = await store.readBack(before, PAGE);
    const moments = events.map(momentsOf);
    const given = Math.max(0, ...moments.map(({ given: id }) => id));
    newest = Math.max(newest, given, ...moments.map(({ time }) => time));
    before = events.at(-1)?.position;
    // An id of this time was given while these events were stored, so earlier ones are smaller.
    const oldest = Math.min(...moments.map(({ time }) => time));
    if (before === undefined || events.length < PAGE || given >= oldest) break;
  }
  return newest;
}

/** Returns when an event happened, and when its largest id was given, both 0 where that is unknown. */
function momentsOf({ stream, data, metadata }: StoredEvent): { time: number; given: number } {
  const time = Date.parse(String(memberOf(metadata, 'time'))) || 0;
  const ids = [NAMED_BY_ID.exec(stream)?.[1], memberOf(data, 'id')];
  const given = ids
    .filter((id) => typeof id === 'string' && isId(id))
    .map((id) => timeOfId(String(id)))
    .filter((moment) => moment <= time + MOST_AHEAD);
  return { time, given: Math.max(0, ...given) };
}

/** Returns a member of a JSON object; undefined of other text. */
function memberOf(text: string, name: string): unknown {
  try {
    return (JSON.parse(text) as Record<string, unknown> | null)?.[name];
  } catch {
    return undefined;
  }
}

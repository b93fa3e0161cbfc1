import type { RemoteDocuments } from './documents.ts';
import { type Foreign, idOf, isObject, listOf } from './json.ts';
import { ignoreRemoteError } from './remote-error.ts';

/** Items of a collection that are read at once. */
const MAX_ITEMS = 60;

/** Limits on reading a collection. */
export interface CollectionBounds {
  items: number;
  /** Requests for its pages, besides the embedded ones. */
  requests: number;
  /** Pages in a row without a new item. */
  idle: number;
}
const BOUNDS: CollectionBounds = { items: MAX_ITEMS, requests: 5, idle: 10 };
const MAX_PARTS_AT_ONCE = 5;

/** Returns the text of a valid item; otherwise undefined. */
export type ReadItem = (item: unknown) => string | undefined;

/** Returns the URIs in a collection: see `textsIn`. */
export const urisIn = (reading: Omit<Reading, 'read'>, start: unknown): Promise<string[]> =>
  textsIn({ ...reading, read: idOf }, start);

export interface Reading {
  documents: Pick<RemoteDocuments, 'get'>;
  /** Only pages at this origin are fetched. */
  origin: string;
  signal: AbortSignal;
  read: ReadItem;
  /** The default is small. */
  bounds?: CollectionBounds;
}

/**
 * Returns what all of a collection says, by its address; undefined where its server does not say, or says more than is read.
 */
export async function wholeCollection(reading: Reading, address: string): Promise<string[] | undefined> {
  const { documents, origin, signal } = reading;
  if (URL.parse(address)?.origin !== origin) return undefined;
  const collection = await documents.get(address, signal).catch(ignoreRemoteError);
  if (!collection) return undefined;
  const texts = await textsIn(reading, collection.document);
  const isSilent = texts.length === 0 && collection.document['totalItems'] !== 0;
  return isSilent || texts.length >= MAX_ITEMS ? undefined : texts;
}

/**
 * Returns the texts of the items of a collection, in its order, each once, as far as they can be had. `start` is the collection, or its
 * address. https://www.w3.org/TR/activitystreams-core/#collections
 */
async function textsIn(
  { documents, origin, signal, read, bounds = BOUNDS }: Reading,
  start: unknown,
): Promise<string[]> {
  const found = new Set<string>();
  let next = start;
  let idle = 0;
  const isOpen = (parts: number): boolean =>
    parts < bounds.requests + MAX_PARTS_AT_ONCE && idle < bounds.idle && found.size < bounds.items;
  for (let parts = 0, requests = 0; isOpen(parts); parts += 1) {
    let part = isPart(next) ? next : undefined;
    const address = part ? undefined : idOf(next);
    // Other origins are not trusted about the collection.
    if (address !== undefined && URL.parse(address)?.origin === origin && requests < bounds.requests) {
      requests += 1;
      // A page that cannot be fetched is the end, and earlier items count.
      part = await documents.get(address, signal).then(({ document }) => document, ignoreRemoteError);
    }
    if (!part) break;
    const before = found.size;
    for (const item of itemsOf(part).flatMap((one) => read(one) ?? [])) {
      if (found.size < bounds.items) found.add(item);
    }
    idle = found.size === before ? idle + 1 : 0;
    next = part['first'] ?? part['next'];
  }
  return [...found];
}

const PARTS = ['items', 'orderedItems', 'first', 'next'];

/** An embedded collection or page, not its address. */
const isPart = (value: unknown): value is Foreign =>
  isObject(value) && PARTS.some((name) => value[name] !== undefined);

const itemsOf = (part: Foreign): unknown[] =>
  [part['items'], part['orderedItems']].flatMap((items) => listOf(items, MAX_ITEMS));

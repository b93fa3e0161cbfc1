import type { RemoteDocuments } from './documents.ts';
import { idOf, isObject, listOf, type Foreign } from './json.ts';
import { unlessTheirs } from './refusal.ts';

/** Items that are read of a collection at once. */
const MAX_ITEMS = 60;
/** Requests for its parts, besides those that it holds itself. */
const MAX_REQUESTS = 5;
const MAX_PARTS = 10;

/** Reads the text of an item that counts; undefined for an item that does not. */
export type ReadItem = (item: unknown) => string | undefined;

/** Returns the URIs in a collection: see `textsIn`. */
export const urisIn = (
  documents: RemoteDocuments,
  start: unknown,
  origin: string,
  signal: AbortSignal,
): Promise<string[]> => textsIn({ documents, origin, signal, read: idOf }, start);

export interface Reading {
  documents: RemoteDocuments;
  /** Only parts at this origin are asked for. */
  origin: string;
  signal: AbortSignal;
  read: ReadItem;
}

/**
 * Returns what all of a collection says, by its address; undefined where its server does not say, or says more than is read.
 */
export async function wholeCollection(reading: Reading, address: string): Promise<string[] | undefined> {
  const { documents, origin, signal } = reading;
  if (URL.parse(address)?.origin !== origin) return undefined;
  const collection = await documents.get(address, signal).catch(unlessTheirs);
  if (!collection) return undefined;
  const texts = await textsIn(reading, collection.document);
  const isSilent = texts.length === 0 && collection.document['totalItems'] !== 0;
  return isSilent || texts.length >= MAX_ITEMS ? undefined : texts;
}

/**
 * Returns the texts of the items of a collection, in its order, each once, as far as they can be had. `start` is the collection, or its
 * address. https://www.w3.org/TR/activitystreams-core/#collections
 */
async function textsIn({ documents, origin, signal, read }: Reading, start: unknown): Promise<string[]> {
  const found = new Set<string>();
  let next = start;
  for (let parts = 0, requests = 0; parts < MAX_PARTS && found.size < MAX_ITEMS; parts += 1) {
    let part = isPart(next) ? next : undefined;
    const address = part ? undefined : idOf(next);
    // No other origin says what is in there.
    if (address !== undefined && URL.parse(address)?.origin === origin && requests < MAX_REQUESTS) {
      requests += 1;
      // A page that cannot be had is the end, and what was found before counts.
      part = await documents.get(address, signal).then(({ document }) => document, unlessTheirs);
    }
    if (!part) break;
    for (const item of itemsOf(part).flatMap((one) => read(one) ?? [])) {
      if (found.size < MAX_ITEMS) found.add(item);
    }
    next = part['first'] ?? part['next'];
  }
  return [...found];
}

const PARTS = ['items', 'orderedItems', 'first', 'next'];

/** A collection or a page of one that is there itself, rather than its address. */
const isPart = (value: unknown): value is Foreign =>
  isObject(value) && PARTS.some((name) => value[name] !== undefined);

const itemsOf = (part: Foreign): unknown[] =>
  [part['items'], part['orderedItems']].flatMap((items) => listOf(items, MAX_ITEMS));

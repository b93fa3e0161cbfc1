import type { RemoteDocuments } from './documents.ts';
import { idOf, isObject, listOf, type Foreign } from './json.ts';
import { unlessTheirs } from './refusal.ts';

/** Of what is in a collection, no more is looked for at once. */
const MAX_ITEMS = 60;
/** Of the collection, besides what is there itself. */
const MAX_REQUESTS = 5;
const MAX_PARTS = 10;

/**
 * The URIs in a collection, in its order, each once, as far as they can be had. `start` is the collection, or its address; only parts at
 * `origin` are asked for. https://www.w3.org/TR/activitystreams-core/#collections
 */
export async function urisIn(
  documents: RemoteDocuments,
  start: unknown,
  origin: string,
  signal: AbortSignal,
): Promise<string[]> {
  const found = new Set<string>();
  let next = start;
  for (let parts = 0, requests = 0; parts < MAX_PARTS && found.size < MAX_ITEMS; parts += 1) {
    let part = isPart(next) ? next : undefined;
    const address = part ? undefined : idOf(next);
    // Nobody else says what is in there.
    if (address !== undefined && URL.parse(address)?.origin === origin && requests < MAX_REQUESTS) {
      requests += 1;
      // A page that cannot be had is the end, and what was found before counts.
      part = await documents.get(address, signal).then(({ document }) => document, unlessTheirs);
    }
    if (!part) break;
    for (const item of itemsOf(part)) if (found.size < MAX_ITEMS) found.add(item);
    next = part['first'] ?? part['next'];
  }
  return [...found];
}

const PARTS = ['items', 'orderedItems', 'first', 'next'];

/** A collection or a page of one that is there itself, rather than its address. */
const isPart = (value: unknown): value is Foreign =>
  isObject(value) && PARTS.some((name) => value[name] !== undefined);

const itemsOf = (part: Foreign): string[] =>
  [part['items'], part['orderedItems']]
    .flatMap((items) => listOf(items, MAX_ITEMS))
    .flatMap((item) => idOf(item) ?? []);

import type { RemoteDocuments } from './documents.ts';
import { idOf, isObject, listOf, type Foreign } from './json.ts';
import { unlessTheirs } from './refusal.ts';

/** More replies to one post are not looked for at once. */
const MAX_REPLIES = 60;
/** Of the collection, besides what stands in the post. */
const MAX_REQUESTS = 5;
const MAX_PARTS = 10;

/**
 * The URIs that a post's own server has in the collection of its replies, in its order, each once. What they lead to is to be asked
 * of the servers that they are of. https://docs.joinmastodon.org/spec/activitypub/#Note
 * @throws Refusal, FetchError where the post itself cannot be had
 */
export async function repliesOf(
  documents: RemoteDocuments,
  uri: string,
  signal: AbortSignal,
): Promise<string[]> {
  const post = await documents.get(uri, signal);
  const { origin } = new URL(post.id);
  const found = new Set<string>();
  let next: unknown = post.document['replies'];
  for (let parts = 0, requests = 0; parts < MAX_PARTS && found.size < MAX_REPLIES; parts += 1) {
    let part = isPart(next) ? next : undefined;
    const address = part ? undefined : idOf(next);
    // Nobody else says who answered there.
    if (address !== undefined && URL.parse(address)?.origin === origin && requests < MAX_REQUESTS) {
      requests += 1;
      // A page that cannot be had is the end, and what was found before counts.
      part = await documents.get(address, signal).then(({ document }) => document, unlessTheirs);
    }
    if (!part) break;
    for (const reply of itemsOf(part)) if (found.size < MAX_REPLIES) found.add(reply);
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
    .flatMap((items) => listOf(items, MAX_REPLIES))
    .flatMap((item) => idOf(item) ?? []);

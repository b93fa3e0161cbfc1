import { urisIn, type CollectionBounds } from './collection.ts';
import type { RemoteDocuments } from './documents.ts';

/** Bounds for one post; a page of Mastodon has 60 replies at most. */
const BOUNDS: CollectionBounds = { items: 1_000, requests: 20, idle: 3 };

/** Replies that the server of a post names, and the requests that it took to know. */
export interface NamedReplies {
  uris: readonly string[];
  requests: number;
}

/**
 * Returns the URIs that a post's own server has in the collection of its replies, in its order, each once. Only
 * the server of a reply is believed about that reply. https://docs.joinmastodon.org/spec/activitypub/#Note
 * @throws RemoteError, FetchError where the post itself cannot be had
 */
export async function repliesOf(
  documents: RemoteDocuments,
  uri: string,
  signal: AbortSignal,
): Promise<NamedReplies> {
  let requests = 0;
  const get: RemoteDocuments['get'] = (...wanted) => {
    requests += 1;
    return documents.get(...wanted);
  };
  const { id, document } = await get(uri, signal);
  const reading = { documents: { get }, origin: new URL(id).origin, signal, bounds: BOUNDS };
  return { uris: await urisIn(reading, document['replies']), requests };
}

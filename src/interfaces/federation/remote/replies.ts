import { type CollectionBounds, urisIn } from './collection.ts';
import type { RemoteDocuments } from './documents.ts';

/** The limits for one post; a page of Mastodon has at most 60 replies. */
const BOUNDS: CollectionBounds = { items: 1_000, requests: 20, idle: 3 };

/** The replies that the server of a post names, and the number of requests. */
export interface NamedReplies {
  uris: readonly string[];
  requests: number;
}

/**
 * Returns the URIs in the replies collection of a post's own server, in its order, each once. Only the server
 * of a reply is trusted about that reply. https://docs.joinmastodon.org/spec/activitypub/#Note @throws
 * RemoteError, FetchError when the post cannot be fetched
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

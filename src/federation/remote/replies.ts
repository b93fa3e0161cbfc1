import { urisIn } from './collection.ts';
import type { RemoteDocuments } from './documents.ts';

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
  const { id, document } = await documents.get(uri, signal);
  return urisIn(documents, document['replies'], new URL(id).origin, signal);
}

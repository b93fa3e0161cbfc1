import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';

/** The job that fetches a collection and its items from its server. */
export const FETCH_COLLECTION = 'fetch-collection';

/** Waiting jobs of all servers together. */
const MAX_WAITING = 10_000;
/** Seconds before each further try when the other server was unreachable. */
const PAUSES = [60, 600, 3_600];

interface Fetching {
  /** The URI of the collection, and its account. */
  uri: string;
  ownerId: Id;
  /** Failed tries so far. */
  tries?: number;
}

/**
 * Queues the fetch of a remote collection. Two waiting fetches of one collection are merged. Servers take
 * turns.
 */
export async function fetchCollectionLater(
  { services }: CommandContext,
  { uri, ownerId, tries = 0 }: Fetching,
  after = 0,
): Promise<void> {
  if ((await services.jobs.waiting(FETCH_COLLECTION)) >= MAX_WAITING) return;
  const singletonKey = after > 0 ? `${uri} later` : uri;
  const owner = URL.parse(uri)?.host ?? '';
  const data = { uri, owner_id: ownerId, tries };
  await services.jobs.enqueue(FETCH_COLLECTION, data, { singletonKey, after, owner });
}

/** Queues it again after a try that could not reach the server; gives up after some tries. */
export async function fetchCollectionAgain(
  ctx: CommandContext,
  { tries = 0, ...fetching }: Fetching,
): Promise<void> {
  const after = PAUSES[tries];
  if (after !== undefined) await fetchCollectionLater(ctx, { ...fetching, tries: tries + 1 }, after);
}

import type { CommandContext } from '../../src/kernel/context.ts';
import type { Id } from '../../src/kernel/ids.ts';

/** The job that asks the server of a collection for it and for what is in it. */
export const FETCH_COLLECTION = 'fetch-collection';

/** Jobs that may wait, of all servers together. */
const MAX_WAITING = 10_000;
/** Seconds before each further try where the other server could not be asked. */
const PAUSES = [60, 600, 3_600];

interface Fetching {
  /** The URI of the collection, and the account that it is by. */
  uri: string;
  ownerId: Id;
  /** How often the other server could not be asked so far. */
  tries?: number;
}

/** Queues a look at a collection of another server; two of one collection that both wait are one. Servers take turns. */
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

/** Queues it once more after a look that found the server away; nothing after some tries. */
export async function fetchCollectionAgain(
  ctx: CommandContext,
  { tries = 0, ...fetching }: Fetching,
): Promise<void> {
  const after = PAUSES[tries];
  if (after !== undefined) await fetchCollectionLater(ctx, { ...fetching, tries: tries + 1 }, after);
}

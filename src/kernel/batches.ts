import { LARGEST_ID, type Id } from './ids.ts';

/** Taken at once: few enough for memory, enough that appends share commits. */
const BATCH = 100;

/**
 * Does something about each item of a list that may be long, newest first and a batch at once: what a reactor does about
 * everybody concerned. `read` gives the items with ids below `before`. Stops when the signal aborts.
 */
export async function forEachBelow<Item extends { id: Id }>(
  read: (before: Id, limit: number) => Promise<readonly Item[]>,
  act: (item: Item) => Promise<unknown>,
  { signal, before = LARGEST_ID }: { signal: AbortSignal; before?: Id },
): Promise<void> {
  for (let below: Id = before; ;) {
    signal.throwIfAborted();
    const items = await read(below, BATCH);
    await Promise.all(items.map(act));
    const last = items.at(-1);
    if (last === undefined || items.length < BATCH) return;
    below = last.id;
  }
}

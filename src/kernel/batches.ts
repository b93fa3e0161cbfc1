import { LARGEST_ID, type Id } from './ids.ts';

/** Where a list is gone through: from where on, and a batch at a time. */
interface Going<Item, Place> {
  /** Before the first item. */
  from: Place;
  /** Cursor: the next batch starts after this item. */
  placeOf: (last: Item) => Place;
  /** Items of a batch. */
  size: number;
}

/**
 * A list of any length as batches, none of them empty; each is read behind the last item of the one before. `read` gives `limit` items
 * at most, and fewer only where the list ends.
 */
export async function* batchesOf<Item, Place>(
  read: (place: Place, limit: number) => Promise<readonly Item[]>,
  { from, placeOf, size }: Going<Item, Place>,
): AsyncGenerator<readonly Item[]> {
  for (let place = from; ;) {
    const items = await read(place, size);
    const last = items.at(-1);
    if (last === undefined) return;
    yield items;
    if (items.length < size) return;
    place = placeOf(last);
  }
}

/** The same item by item. */
export async function* eachOf<Item, Place>(
  read: (place: Place, limit: number) => Promise<readonly Item[]>,
  going: Going<Item, Place>,
): AsyncGenerator<Item> {
  for await (const items of batchesOf(read, going)) yield* items;
}

/** Goes through a list, however long, oldest first; `read` gives the items with ids above `after`. */
export const eachAbove = <Item extends { id: Id }>(
  read: (after: Id, limit: number) => Promise<readonly Item[]>,
  size = 1_000,
): AsyncGenerator<Item> => eachOf(read, { from: '0', placeOf: ({ id }) => id, size });

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
  const readUnlessAborted: typeof read = (place, limit) => {
    signal.throwIfAborted();
    return read(place, limit);
  };
  const going = { from: before, placeOf: ({ id }: Item) => id, size: BATCH };
  for await (const items of batchesOf(readUnlessAborted, going)) await Promise.all(items.map(act));
}

import { LARGEST_ID, type Id } from './ids.ts';

/** A walk through a list, a batch at a time. */
interface Going<Item, Place> {
  /** Before the first item. */
  from: Place;
  /** Cursor: the next batch starts after this item. */
  placeOf: (last: Item) => Place;
  /** Items of a batch. */
  size: number;
}

/**
 * Yields a list of any length in batches, none of them empty; each begins after the last item of the previous
 * one. `read` returns `limit` items at most, and fewer only at the end.
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

/** Yields the same items one by one. */
export async function* eachOf<Item, Place>(
  read: (place: Place, limit: number) => Promise<readonly Item[]>,
  going: Going<Item, Place>,
): AsyncGenerator<Item> {
  for await (const items of batchesOf(read, going)) yield* items;
}

/** Walks through a list of any length, oldest first; `read` returns the items with ids above `after`. */
export const eachAbove = <Item extends { id: Id }>(
  read: (after: Id, limit: number) => Promise<readonly Item[]>,
  size = 1_000,
): AsyncGenerator<Item> => eachOf(read, { from: '0', placeOf: ({ id }) => id, size });

/** Concurrent items: few enough for memory, enough that appends share commits. */
const BATCH = 100;

/**
 * Handles each item of a long list, newest first, a batch concurrently: for reactors that affect many
 * accounts. `read` returns the items with ids below `before`. Stops when the signal aborts.
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

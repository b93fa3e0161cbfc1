import { type Id, LARGEST_ID } from './ids.ts';

/** How a list is read in batches. */
interface Batching<Item, Cursor> {
  /** Before the first item. */
  from: Cursor;
  /** The next batch starts after this item. */
  cursorOf: (last: Item) => Cursor;
  /** Items of a batch. */
  size: number;
}

/**
 * Yields a list of any length in batches, none of them empty; each begins after the last item of the previous
 * one. `read` returns `limit` items at most, and fewer only at the end.
 */
export async function* batchesOf<Item, Cursor>(
  read: (cursor: Cursor, limit: number) => Promise<readonly Item[]>,
  { from, cursorOf, size }: Batching<Item, Cursor>,
): AsyncGenerator<readonly Item[]> {
  for (let cursor = from; ;) {
    const items = await read(cursor, size);
    const last = items.at(-1);
    if (last === undefined) return;
    yield items;
    if (items.length < size) return;
    cursor = cursorOf(last);
  }
}

/** Yields the same items one by one. */
export async function* eachOf<Item, Cursor>(
  read: (cursor: Cursor, limit: number) => Promise<readonly Item[]>,
  batching: Batching<Item, Cursor>,
): AsyncGenerator<Item> {
  for await (const items of batchesOf(read, batching)) yield* items;
}

/** Walks through a list of any length, oldest first; `read` returns the items with ids above `after`. */
export const eachAbove = <Item extends { id: Id }>(
  read: (after: Id, limit: number) => Promise<readonly Item[]>,
  size = 1_000,
): AsyncGenerator<Item> => eachOf(read, { from: '0', cursorOf: ({ id }) => id, size });

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
  const readUnlessAborted: typeof read = (cursor, limit) => {
    signal.throwIfAborted();
    return read(cursor, limit);
  };
  const batching = { from: before, cursorOf: ({ id }: Item) => id, size: BATCH };
  for await (const items of batchesOf(readUnlessAborted, batching)) await Promise.all(items.map(act));
}

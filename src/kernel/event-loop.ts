/** Milliseconds that a long computation may hold the event loop. */
const SLICE = 1;

/** Lets the event loop turn once, so that requests that came meanwhile are served first. */
export const oneTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Yields the items of a long computation, and lets the event loop turn every few milliseconds. */
export async function* inSlices<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let begun = performance.now();
  for (const item of items) {
    if (performance.now() - begun > SLICE) {
      await oneTurn();
      begun = performance.now();
    }
    yield item;
  }
}

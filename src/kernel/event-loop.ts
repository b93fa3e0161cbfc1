/** Milliseconds for which a long computation keeps the event loop to itself. */
const SLICE = 1;

/** Gives the items of a long computation, and lets the event loop turn whenever they took some milliseconds. */
export async function* inSlices<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let begun = performance.now();
  for (const item of items) {
    if (performance.now() - begun > SLICE) {
      await new Promise((resolve) => setImmediate(resolve));
      begun = performance.now();
    }
    yield item;
  }
}

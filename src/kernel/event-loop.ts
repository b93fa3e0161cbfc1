import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds that a long computation may hold the event loop. */
const SLICE = 1;

/** Yields the items of a long computation, and lets the event loop turn every few milliseconds. */
export async function* inSlices<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let begun = performance.now();
  for (const item of items) {
    if (performance.now() - begun > SLICE) {
      await nextTurn();
      begun = performance.now();
    }
    yield item;
  }
}

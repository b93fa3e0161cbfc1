/**
 * Options of an `LRUCache` that keeps at most so many entries and takes memory for those that it has. With `max` it takes room
 * for all of them when it is made: 2.8 MB and 26 ms for 100,000.
 */
export const atMost = (entries: number): { maxSize: number; sizeCalculation: () => number } => ({
  maxSize: entries,
  sizeCalculation: () => 1,
});

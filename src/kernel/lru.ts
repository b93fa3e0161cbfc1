/**
 * Returns options of an `LRUCache` that keeps at most so many entries and allocates memory as it fills. `max`
 * would allocate it for all of them at once: 2.8 MB and 26 ms for 100,000.
 */
export const atMost = (entries: number): { maxSize: number; sizeCalculation: () => number } => ({
  maxSize: entries,
  sizeCalculation: () => 1,
});

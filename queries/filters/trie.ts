/**
 * States are numbered breadth first, so the children of a state are adjacent, in the order of their symbols.
 */
export interface Trie {
  symbolTo: Uint16Array;
  /** Has one element more than there are states. */
  firstChild: Int32Array;
  /** The final state of each pattern. */
  stateOf: number[];
}

/**
 * Builds a trie of patterns sorted by `compare`. A state is a range of the sorted patterns that share a
 * prefix; its children are ranges of that range.
 */
export function buildTrie(patterns: readonly (readonly number[])[]): Trie {
  const ranges = [{ from: 0, to: patterns.length, depth: 0 }];
  const symbolTo = [0];
  const firstChild: number[] = [];
  const stateOf: number[] = [];
  for (let state = 0; state < ranges.length; state += 1) {
    const { from, to, depth } = ranges[state] ?? { from: 0, to: 0, depth: 0 };
    firstChild.push(ranges.length);
    let start = from;
    // The patterns are sorted, so those that end here come first.
    while (start < to && patterns[start]?.length === depth) {
      stateOf[start] = state;
      start += 1;
    }
    while (start < to) {
      const symbol = patterns[start]?.[depth] ?? 0;
      let end = start + 1;
      while (end < to && patterns[end]?.[depth] === symbol) end += 1;
      ranges.push({ from: start, to: end, depth: depth + 1 });
      symbolTo.push(symbol);
      start = end;
    }
  }
  firstChild.push(ranges.length);
  return { symbolTo: Uint16Array.from(symbolTo), firstChild: Int32Array.from(firstChild), stateOf };
}

/** Compares patterns by symbol; a prefix comes first. */
export function compare(one: readonly number[], other: readonly number[]): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index += 1) {
    const difference = (one[index] ?? 0) - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

import { median } from './table.ts';

/** One figure without an attack and one during it, taken one after the other. */
export interface Pair {
  quiet: number;
  attacked: number;
}

export interface Compared extends Pair {
  ratio: number;
  /** Half of the pairs have ratios from `low` to `high`. */
  low: number;
  high: number;
}

/**
 * Returns the medians of pairs, and the median of their ratios. Other work on the machine meets both halves of a pair, so it moves
 * the figures more than the ratio. The quartiles show how much it moves the ratio all the same.
 */
export function comparePairs(pairs: readonly Pair[]): Compared {
  const ratios = pairs.map(({ quiet, attacked }) => attacked / quiet).sort((a, b) => a - b);
  const last = ratios.length - 1;
  return {
    quiet: median(pairs.map(({ quiet }) => quiet)),
    attacked: median(pairs.map(({ attacked }) => attacked)),
    ratio: median(ratios),
    low: ratios[Math.floor(last / 4)] ?? NaN,
    high: ratios[Math.ceil((last * 3) / 4)] ?? NaN,
  };
}

/** Measures both halves of each pair one after the other, and changes their order from pair to pair. */
export async function measurePairs<T>(
  count: number,
  halves: { quiet: () => Promise<T>; attacked: () => Promise<T> },
  done: (pair: { quiet: T; attacked: T }, number: number) => void | Promise<void>,
): Promise<void> {
  for (let n = 1; n <= count; n += 1) {
    const first = n % 2 === 1 ? await halves.quiet() : undefined;
    const attacked = await halves.attacked();
    await done({ quiet: first ?? (await halves.quiet()), attacked }, n);
  }
}

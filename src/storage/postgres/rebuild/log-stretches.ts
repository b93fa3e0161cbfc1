/** A part of the log: the events after one position, up to another. */
export interface Stretch {
  after: bigint;
  until: bigint;
}

export const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Joins stretches that overlap or touch. @returns them in the order of the log, without empty ones */
export function joinStretches(stretches: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = [];
  const filled = stretches.filter(({ after, until }) => after < until);
  for (const { after, until } of filled.toSorted((a, b) => (a.after < b.after ? -1 : 1))) {
    const last = joined.at(-1);
    if (last && after <= last.until) last.until = larger(last.until, until);
    else joined.push({ after, until });
  }
  return joined;
}

/** Returns how many positions of joined stretches are after a position. */
export const leftAfter = (joined: readonly Stretch[], position: bigint): bigint =>
  joined.reduce((sum, { after, until }) => sum + larger(until - larger(after, position), 0n), 0n);

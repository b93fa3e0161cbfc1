/** Returns the number that facts stand for. */
export const total = (facts: readonly { count: number }[]): number =>
  facts.reduce((sum, { count }) => sum + count, 0);

interface Timed {
  /** Null without a decision. */
  seconds: number | null;
  count: number;
}

export const isDecided = ({ seconds }: Timed): boolean => seconds !== null;

/** Returns the median of the times to a decision; null without any. */
export function median(facts: readonly Timed[]): number | null {
  const times = facts
    .flatMap(({ seconds, count }) => (seconds === null ? [] : [{ seconds, count }]))
    .toSorted((one, other) => one.seconds - other.seconds);
  const size = total(times);
  if (size === 0) return null;
  const at = (place: number): number => {
    let passed = 0;
    for (const { seconds, count } of times) {
      passed += count;
      if (passed > place) return seconds;
    }
    return 0;
  };
  return (at(Math.floor((size - 1) / 2)) + at(Math.floor(size / 2))) / 2;
}

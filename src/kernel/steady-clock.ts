/** A clock that never goes back. */
export interface SteadyClock {
  /** Returns milliseconds since 1970. */
  now(): number;
  /** Returns by how many milliseconds it is ahead of the clock of the machine. */
  ahead(): number;
}

/**
 * Returns a clock that shows what the clock of the machine shows, but never less than `start` or than it showed before (milliseconds
 * since 1970). After that one was set back, it goes on at half speed until it is caught up with: if it stood still, the ids of two
 * processes would not be in the order of time.
 */
export function steadyClock(machine: () => number = Date.now, start = 0): SteadyClock {
  let seen = machine();
  let anchor = { real: seen, shown: start };
  const shownAt = (real: number): number =>
    Math.max(real, anchor.shown + Math.floor((real - anchor.real) / 2));
  const look = (): number => {
    const real = machine();
    if (real < seen) anchor = { real, shown: shownAt(seen) };
    seen = real;
    return real;
  };
  return {
    now: () => shownAt(look()),
    ahead: () => {
      const real = look();
      return shownAt(real) - real;
    },
  };
}

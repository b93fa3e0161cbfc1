const MINUTE = 60_000;
/** As Mastodon: a signature holds for five minutes, and clocks may differ by an hour. Milliseconds. */
const BACK = 65 * MINUTE;
const AHEAD = 60 * MINUTE;

/** Returns whether a signature that was made then, in milliseconds since 1970, counts now; false for NaN. */
export function isTimely(at: number): boolean {
  const age = Date.now() - at;
  return age <= BACK && age >= -AHEAD;
}

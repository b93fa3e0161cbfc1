const MINUTE = 60_000;
/** As in Mastodon: a signature is valid for five minutes, and clocks may differ by an hour. Milliseconds. */
const BACK = 65 * MINUTE;
const AHEAD = 60 * MINUTE;

/** Returns true if a signature of that time, in milliseconds since 1970, is valid now; false for NaN. */
export function isTimely(at: number): boolean {
  const age = Date.now() - at;
  return age <= BACK && age >= -AHEAD;
}

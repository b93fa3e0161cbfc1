/** In milliseconds. */
const MINUTE = 60_000;
const DAY = 86_400_000;
/** Minutes before the end from which on moments are moved into the day. */
const EXACT = 2 * 24 * 60;
/** Hours of a day (UTC) in which people write. */
const [MORNING, HOURS] = [6.5, 15.5];

/**
 * Returns the moment (milliseconds since 1970) that is so many minutes before the end. Moments of the last two days are exact; earlier
 * ones lie between morning and night, in the same order.
 */
export function momentOf(ago: number, end: number): number {
  const exact = Math.floor(end - ago * MINUTE);
  if (ago < EXACT) return exact;
  const day = Math.floor(ago / 1_440);
  const rest = 1 - (ago % 1_440) / 1_440;
  const midnight = Math.floor(end / DAY) * DAY;
  const awake = midnight - day * DAY + (MORNING + rest * HOURS) * 3_600_000;
  return Math.floor(Math.min(awake, end - EXACT * MINUTE - (ago - EXACT)));
}

export const days = (count: number): number => count * 1_440;

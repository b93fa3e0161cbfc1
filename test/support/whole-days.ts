import { setTimeout as sleep } from 'node:timers/promises';

export const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Milliseconds, more than any spec file takes. */
const LONGEST = 120_000;

/**
 * Waits for the next period when the current one (periods of this length, counted from 1970) ends within
 * `needed` milliseconds.
 */
export async function notAtTheEndOf(period: number, needed: number): Promise<void> {
  const end = Math.ceil(Date.now() / period) * period;
  if (end - Date.now() > needed) return;
  while (Date.now() < end) await sleep(end - Date.now());
}

/**
 * Specs count per day, month and year, and a user's first activity of a day is an event. So no spec file
 * begins when the day (UTC) may end before it does.
 */
export const mochaHooks = {
  async beforeAll(this: Mocha.Context): Promise<void> {
    this.timeout(2 * LONGEST);
    await notAtTheEndOf(DAY, LONGEST);
  },
};

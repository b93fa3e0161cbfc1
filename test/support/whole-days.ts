import { setTimeout as sleep } from 'node:timers/promises';

export const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** More than a file of specs takes, in milliseconds. */
const LONGEST = 120_000;

/** Lets no period of so many milliseconds, counted from 1970, end within the next `needed` milliseconds: it waits for the next one. */
export async function notAtTheEndOf(period: number, needed: number): Promise<void> {
  const end = Math.ceil(Date.now() / period) * period;
  if (end - Date.now() > needed) return;
  while (Date.now() < end) await sleep(end - Date.now());
}

/**
 * Specs count by the day, the month and the year, and who is active for the first time of a day is an event. So none of their
 * files begins where the day, by UTC, may end before it does.
 */
export const mochaHooks = {
  async beforeAll(this: Mocha.Context): Promise<void> {
    this.timeout(2 * LONGEST);
    await notAtTheEndOf(DAY, LONGEST);
  },
};

import { setTimeout as sleep } from 'node:timers/promises';

const DAY = 86_400_000;
/** More than a file of specs takes, in milliseconds. */
const LONGEST = 120_000;

/**
 * Specs count by the day, the month and the year, and who is active for the first time of a day is an event. So none of their
 * files begins where the day, by UTC, may end before it does.
 */
export const mochaHooks = {
  async beforeAll(this: Mocha.Context): Promise<void> {
    this.timeout(2 * LONGEST);
    const midnight = Math.ceil(Date.now() / DAY) * DAY;
    if (midnight - Date.now() > LONGEST) return;
    while (Date.now() < midnight) await sleep(midnight - Date.now());
  },
};

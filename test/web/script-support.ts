import { existsSync } from 'node:fs';
import type { Suite } from 'mocha';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { DEVICES } from '../account-pages/real-browser.ts';
import { CHROMIUM, openBrowser } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { type Person, startTown, type Town } from '../support/people.ts';

/** A town whose people sit at browsers with scripts. */
export interface BrowserTown extends Town {
  /** Opens a browser in which the person is signed in. */
  seat(person: Pick<Person, 'username'>, device?: (typeof DEVICES)[number]): Promise<Seat>;
}

export interface Seat {
  context: BrowserContext;
  page: Page;
  /** Errors of the script and of its security policy, so far. */
  errors: string[];
  open(path: string): Promise<void>;
}

const DESKTOP = DEVICES[1];

/** Describes what the script of the web client does, in Chromium; skipped where there is none. */
export const describeScripts = (title: string, tests: (this: Suite, town: BrowserTown) => void): void => {
  describe(title, function () {
    this.timeout(60_000);
    const town = {} as BrowserTown;
    let browser: Browser | undefined;
    before(async function () {
      this.timeout(120_000);
      if (!existsSync(CHROMIUM)) return this.skip();
      // The pages load files from the configured origin alone.
      const port = String(await freePort());
      const started = await startTown({ LOCAL_DOMAIN: `localhost:${port}`, PORT: port });
      browser = await openBrowser();
      Object.assign(town, started, { seat: seatsIn(browser, started.app.instance.origin) });
    });
    after(async () => {
      await browser?.close();
      await town.close?.();
    });
    tests.call(this, town);
  });
};

const seatsIn =
  (browser: Browser, origin: string): BrowserTown['seat'] =>
  async ({ username }, { width, colorScheme } = DESKTOP) => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (/Content Security Policy|Uncaught/.test(message.text())) errors.push(message.text());
    });
    await page.goto(`${origin}/auth/sign_in`);
    await page.fill('[name=login]', username);
    await page.fill('[name=password]', `correct horse ${username}`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL((url) => !url.pathname.includes('sign_in'));
    const open = async (path: string): Promise<void> => {
      await page.goto(`${origin}${path}`);
    };
    return { context, page, errors, open };
  };

/** Returns the id of the one whole page load so far, to see later that no other came. */
export const mark = (page: Page): Promise<unknown> => page.evaluate('window.loadedOnce = true');
export const isSamePage = (page: Page): Promise<unknown> => page.evaluate('window.loadedOnce === true');

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { script } from '#interfaces/web/browser/script.ts';
import { problemsOf, unnamedIn } from '../pages/accessibility.ts';
import { openBrowser } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** The folder for screenshots. None are taken when it is not set. */
const PICTURES = process.env['TEST_SCREENSHOTS'];

/** The script of signed-in users; pages have no other, and none inside. */
const SCRIPT = script.path;
const SCRIPTS = `[...document.scripts].map(({ src, text }) => text || new URL(src).pathname)`;

export const DEVICES = [
  { device: 'phone', width: 320, colorScheme: 'dark' },
  { device: 'desktop', width: 1_000, colorScheme: 'light' },
] as const;

interface BrowserSite {
  server: TestServer;
  browser: Browser;
  origin: string;
}

/** Starts a browser, and a server that listens where its own links lead. */
export async function openBrowserSite(): Promise<BrowserSite> {
  const port = String(await freePort());
  const server = await startTestServer({ LOCAL_DOMAIN: `localhost:${port}`, PORT: port });
  const browser = await openBrowser();
  return { server, browser, origin: server.app.instance.origin };
}

/**
 * Short names for what a user does on a page. `at` waits for the page with this heading and checks that it is
 * accessible.
 */
export function handsOn(page: Page, device: string) {
  return {
    async at(heading: string): Promise<void> {
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      expect(await problemsOf(page), heading).to.deep.equal([]);
      expect(await unnamedIn(page), heading).to.deep.equal([]);
      const scripts = (await page.locator('body.app').count()) > 0 ? [SCRIPT] : [];
      expect(await page.evaluate(SCRIPTS), heading).to.deep.equal(scripts);
      if (PICTURES === undefined) return;
      await mkdir(PICTURES, { recursive: true });
      await page.screenshot({ path: join(PICTURES, `${device}-${heading}.png`), fullPage: true });
    },
    label: (name: string) => page.getByLabel(name, { exact: true }),
    press: (name: string) => page.getByRole('button', { name, exact: true }).click(),
    open: (name: string) => page.getByRole('link', { name, exact: true }).click(),
  };
}

/** Collects console errors, except refusals by the page, and requests to other origins. */
export async function remarksOf(page: Page, origin: string): Promise<string[]> {
  const remarks: string[] = [];
  await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/\b(403|410|422)\b/.test(message.text()))
      remarks.push(`${message.text()} ${message.location().url}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) remarks.push(request.url());
  });
  return remarks;
}

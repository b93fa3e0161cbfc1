import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openBrowser } from '../support/chromium.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { authorizePath, OUT_OF_BAND, registerApp } from './client.ts';

/** The folder for screenshots. None are taken when it is not set. */
const PICTURES = process.env['TEST_SCREENSHOTS'];

describe('Signing in with a browser', function () {
  this.timeout(60_000);
  let server: TestServer;
  let browser: Browser;

  before(async function () {
    if (!existsSync(CHROMIUM)) return this.skip();
    server = await startTestServer({ LOCAL_DOMAIN: 'localhost' });
    browser = await openBrowser();
    await server.user('alice');
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const picture = async (page: Page, name: string): Promise<void> => {
    if (PICTURES === undefined) return;
    await mkdir(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
  };

  for (const { device, width, colorScheme } of [
    { device: 'phone', width: 360, colorScheme: 'dark' },
    { device: 'desktop', width: 1_000, colorScheme: 'light' },
  ] as const) {
    it(`lets a user sign in, consent and get a code on a ${device}`, async () => {
      const app = await registerApp(server, {
        client_name: 'Elk',
        website: 'https://elk.example',
        redirect_uris: OUT_OF_BAND,
        scopes: 'read write follow push admin:read',
      });
      const context = await browser.newContext({ viewport: { width, height: 740 }, colorScheme });
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('console', (message) => {
        // Chromium logs an error when a page answers with 4xx, as it does to a wrong password.
        if (message.type() === 'error' && !message.text().includes('422')) problems.push(message.text());
      });
      // Browsers request an icon by themselves, so it does not count.
      await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
      const scope = 'read write:statuses write:media push admin:read';
      await page.goto(`${server.url}${authorizePath(app, { redirect_uri: OUT_OF_BAND, scope })}`);
      await picture(page, `${device}-sign-in`);

      await page.getByLabel('E-mail address or username').fill('alice');
      await page.getByLabel('Password').fill('wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
      await picture(page, `${device}-wrong-password`);

      await page.getByLabel('Password').fill('correct horse alice');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Let Elk use your account?' }).waitFor();
      await picture(page, `${device}-consent`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(width);

      await page.getByRole('button', { name: 'Allow' }).click();
      const code = page.getByLabel('Authorization code');
      await code.waitFor();
      await picture(page, `${device}-code`);
      expect(await code.textContent()).to.match(/^[\w-]{43}$/);
      expect(problems).to.deep.equal([]);
      await context.close();
    });
  }

  it('leads to the app after the consent, however it is reached', async () => {
    const landing = `${server.url}/api/v1/instance`;
    const app = await registerApp(server, { redirect_uris: landing });
    const context = await browser.newContext();
    const page = await context.newPage();
    // The app has another host name of this machine.
    const here = server.url.replace(/\/\/[^:]+/, '//localhost');
    await page.goto(`${here}${authorizePath(app, { redirect_uri: landing, state: 'x y' })}`);
    await page.getByLabel('E-mail address or username').fill('alice');
    await page.getByLabel('Password').fill('correct horse alice');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL((url) => url.searchParams.has('code'));
    expect(page.url().startsWith(landing)).to.equal(true);
    expect(new URL(page.url()).searchParams.get('state')).to.equal('x y');
    await context.close();
  });
});

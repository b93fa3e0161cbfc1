import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { chromium, type Browser } from 'playwright-core';
import { registerApp } from '../oauth/client.ts';
import { problemsOf, unnamedIn } from '../pages/accessibility.ts';
import { freePort } from '../support/free-port.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { addressOf, isTokenGood, pathsMailedTo } from './support.ts';

const CHROMIUM = process.env['TEST_CHROMIUM'] ?? '/usr/bin/chromium';
/** Where pictures of the pages go; none are taken unless it is set. */
const PICTURES = process.env['TEST_SCREENSHOTS'];
const NEW = 'correct battery staple';

describe('one’s own account in a browser', function () {
  this.timeout(120_000);
  let server: TestServer;
  let browser: Browser;
  let origin: string;

  before(async function () {
    if (!existsSync(CHROMIUM)) return this.skip();
    const port = String(await freePort());
    server = await startTestServer({ LOCAL_DOMAIN: `localhost:${port}`, PORT: port });
    ({ origin } = server.app.instance);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const { device, width, colorScheme } of [
    { device: 'phone', width: 320, colorScheme: 'dark' },
    { device: 'desktop', width: 1_000, colorScheme: 'light' },
  ] as const) {
    it(`is looked after on a ${device}, ${colorScheme}, by everybody and without scripts`, async () => {
      const { id } = await server.user(`alice_${device}`);
      const email = await addressOf(server, id);
      const context = await browser.newContext({ viewport: { width, height: 740 }, colorScheme });
      const page = await context.newPage();
      await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
      const problems: string[] = [];
      page.on('console', (message) => {
        // Pages that refuse something are no success, and the browser remarks on that.
        if (message.type() === 'error' && !/\b(403|410|422)\b/.test(message.text()))
          problems.push(message.text());
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(origin)) problems.push(request.url());
      });
      /** The page is the one with this heading, and good for everybody. */
      const at = async (heading: string): Promise<void> => {
        await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
        expect(await problemsOf(page), heading).to.deep.equal([]);
        expect(await unnamedIn(page), heading).to.deep.equal([]);
        expect(await page.evaluate('document.scripts.length'), heading).to.equal(0);
        if (PICTURES === undefined) return;
        await mkdir(PICTURES, { recursive: true });
        await page.screenshot({ path: join(PICTURES, `${device}-${heading}.png`), fullPage: true });
      };
      const label = (name: string) => page.getByLabel(name, { exact: true });
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
      const open = (name: string) => page.getByRole('link', { name, exact: true }).click();

      // Signs in, where he was going.
      await page.goto(`${origin}/settings/security`);
      await at('Sign in');
      await label('E-mail address or username').fill(email);
      await label('Password').fill('wrong');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
      await at('Sign in');
      await label('Password').fill(`correct horse alice_${device}`);
      await page.keyboard.press('Enter');
      await at('Security');

      // Changes the password.
      const first = page.getByRole('button', { name: 'Change password' }).locator('xpath=ancestor::form');
      const change = async (current: string): Promise<void> => {
        await first.getByLabel('Current password').fill(current);
        await first.getByLabel('New password', { exact: true }).fill(NEW);
        await first.getByLabel('New password again').fill(NEW);
        await press('Change password');
      };
      await change('wrong');
      await page.getByRole('alert').getByText('The current password is wrong.').waitFor();
      await at('Security');
      await change(`correct horse alice_${device}`);
      await page.getByRole('status').getByText('Your password is changed.').waitFor();
      await at('Security');

      // Revokes an app.
      const app = await registerApp(server, {
        client_name: 'A client for rooks with a long name on a narrow phone',
        website: 'https://client.example/a-very-long-path-that-does-not-fit-on-any-phone-at-all',
        scopes: 'read write push admin:read',
      });
      const { access_token: token } = await server.app.tokens.issue({
        ...{ applicationId: app.id, accountId: id, scopes: ['read', 'write', 'push', 'admin:read'] },
      });
      await open('Settings');
      await at('Settings');
      await open('Apps');
      await at('Apps');
      await page.getByRole('button', { name: 'Revoke A client for rooks' }).click();
      await page.getByRole('status').waitFor();
      await at('Apps');
      expect(await isTokenGood(server, token)).to.equal(false);

      await open('Settings');
      await open('Delete the account');
      await at('Delete the account');

      // Signs out, and forgets the password.
      await press('Sign out');
      await page.getByRole('status').getByText('You are signed out').waitFor();
      await page.goto(`${origin}/settings`);
      await at('Sign in');
      await open('Forgot your password?');
      await at('Forgot your password?');
      await label('E-mail address').fill(email);
      await press('Send the link');
      await page.getByRole('status').waitFor();
      await at('Forgot your password?');
      await page.goto(`${origin}${(await pathsMailedTo(server, email)).at(-1)}`);
      await at('Set a new password');
      await label('New password').fill('another battery staple');
      await label('New password again').fill('another battery staple');
      await press('Set the password');
      await page.getByRole('status').waitFor();
      await label('E-mail address or username').fill(email);
      await label('Password').fill('another battery staple');
      await press('Sign in');
      await at('Settings');

      // Goes for good.
      await open('Delete the account');
      await label('Current password').fill('another battery staple');
      await press('Delete my account for good');
      await at('Your account is being deleted');
      await server.settle();
      expect(problems).to.deep.equal([]);
      await context.close();
    });
  }
});

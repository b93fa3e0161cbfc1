import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import decodeQr from 'qr/decode.js';
import sharp from 'sharp';
import { totpCode } from '#commands/accounts/index.ts';
import { authorizePath, registerApp } from '../oauth/client.ts';
import { problemsOf } from '../pages/accessibility.ts';
import { CHROMIUM } from '../support/chromium.ts';
import type { TestServer } from '../support/server.ts';
import { nextCode } from '../support/two-factor.ts';
import { DEVICES, openBrowserSite } from './real-browser.ts';

/** The folder for screenshots. None are taken when it is not set. */
const PICTURES = process.env['TEST_SCREENSHOTS'];

describe('Two-factor sign-in in a browser', function () {
  this.timeout(120_000);
  let server: TestServer;
  let browser: Browser | undefined;
  let origin: string;

  before(async function () {
    if (!existsSync(CHROMIUM)) return this.skip();
    ({ server, browser, origin } = await openBrowserSite());
  });
  after(async () => {
    await browser?.close();
    if (browser) await server.close();
  });

  for (const { device, width, colorScheme } of DEVICES) {
    it(`is set up by QR code on a ${device} (${colorScheme}), used, and turned off`, async () => {
      const name = `alice_${device}`;
      const password = `correct horse ${name}`;
      await server.user(name);
      const app = await registerApp(server);
      const context = await browser!.newContext({ viewport: { width, height: 740 }, colorScheme });
      const page = await context.newPage();
      await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
      const refused: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' && !/\b422\b/.test(message.text())) refused.push(message.text());
      });
      /** Waits for the page with this heading and checks that it is accessible. */
      const at = async (heading: string, picture = heading): Promise<void> => {
        await page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
        // OAuth pages have no header and no footer.
        if (!page.url().includes('/oauth/')) expect(await problemsOf(page), heading).to.deep.equal([]);
        if (PICTURES === undefined) return;
        await mkdir(PICTURES, { recursive: true });
        await page.screenshot({ path: join(PICTURES, `2fa-${device}-${picture}.png`), fullPage: true });
      };
      const press = (label: string) => page.getByRole('button', { name: label, exact: true }).click();
      const enter = async (code: string): Promise<void> => {
        await page.getByLabel('Code', { exact: true }).fill(code);
        await page.keyboard.press('Enter');
      };
      const signIn = async (): Promise<void> => {
        await page.getByLabel('E-mail address or username').fill(name);
        await page.getByLabel('Password', { exact: true }).fill(password);
        await page.keyboard.press('Enter');
      };

      await page.goto(`${origin}/settings/two-factor`);
      await signIn();
      await at('Two-factor sign-in', 'off');
      await page.getByLabel('Current password').fill(password);
      await press('Set it up');
      await page.getByRole('img', { name: 'QR code' }).waitFor();
      await at('Two-factor sign-in', 'setup');

      // Reads the code as a phone does.
      const address = new URL(await readQr(page));
      const secret = address.searchParams.get('secret') ?? '';
      expect([address.protocol, address.host, decodeURIComponent(address.pathname)]).to.deep.equal([
        'otpauth:',
        'totp',
        `/${server.app.instance.domain}:${name}`,
      ]);
      expect((await page.locator('code.key').textContent())?.replaceAll(' ', '')).to.equal(secret);
      await enter('000000');
      await page.getByRole('alert').waitFor();
      expect(await readQr(page)).to.equal(address.href);
      const now = new Date().toISOString();
      await enter(totpCode(secret, now));
      await at('Your recovery codes');
      const codes = await page.locator('.codes code').allTextContents();
      expect(codes).to.have.length(10);
      // The codes are shown once: a repeated form shows none.
      await page.reload();
      await page.getByRole('alert').waitFor();
      expect(await page.content()).not.to.contain(codes[0]);
      await at('Two-factor sign-in', 'on');

      // The next sign-in is for an app.
      await press('Sign out');
      await page.goto(`${origin}${authorizePath(app)}`);
      await at('Sign in');
      await signIn();
      await at('Enter a code', 'code for an app');
      await enter('000000');
      await page.getByRole('alert').waitFor();
      await at('Enter a code', 'wrong code for an app');
      await enter(nextCode(secret, now));
      await at('Let Test app use your account?');

      // Signs in with a recovery code, for the settings.
      await page.getByRole('button', { name: 'Not you?' }).click();
      await page.goto(`${origin}/settings/two-factor`);
      await signIn();
      await at('Enter a code', 'code');
      await enter(codes[0]!);
      await page.getByText('left: 9.').waitFor();

      await page.locator('#password_to_turn_off').fill(password);
      await enter(codes[1]!.toUpperCase());
      await page.getByRole('status').getByText('Two-factor sign-in is off').waitFor();
      expect(refused).to.deep.equal([]);
      await context.close();
    });
  }
});

/** Decodes the QR code on a page from its pixels. */
async function readQr(page: Page): Promise<string> {
  const picture = await page.getByRole('img', { name: 'QR code' }).screenshot();
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return decodeQr({ width: info.width, height: info.height, data });
}

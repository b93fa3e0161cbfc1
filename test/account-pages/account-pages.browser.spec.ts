import { existsSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { registerApp } from '../oauth/client.ts';
import { CHROMIUM } from '../support/chromium.ts';
import type { TestServer } from '../support/server.ts';
import { DEVICES, handsOn, openBrowserSite, remarksOf } from './real-browser.ts';
import { addressOf, isTokenGood, pathsMailedTo } from './support.ts';

const NEW = 'correct battery staple';

describe('The account pages in a browser', function () {
  this.timeout(120_000);
  let server: TestServer;
  let browser: Browser;
  let origin: string;

  before(async function () {
    if (!existsSync(CHROMIUM)) return this.skip();
    ({ server, browser, origin } = await openBrowserSite());
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const { device, width, colorScheme } of DEVICES) {
    it(`let a user manage their account on a ${device} (${colorScheme}), accessibly and without scripts`, async () => {
      const { id } = await server.user(`alice_${device}`);
      const email = await addressOf(server, id);
      const context = await browser.newContext({ viewport: { width, height: 740 }, colorScheme });
      const page = await context.newPage();
      const problems = await remarksOf(page, origin);
      const { at, label, press, open } = handsOn(page, device);

      // Signs in and returns to the requested page.
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

      // Follows an account found on another site.
      await server.user(`carol_${device}`);
      await page.goto(
        `${origin}/authorize_interaction?uri=${encodeURIComponent(`${origin}/users/carol_${device}`)}`,
      );
      await at(`carol_${device}`);
      await page.getByRole('button', { name: 'Follow', exact: true }).click();
      await page.getByRole('button', { name: 'Unfollow', exact: true }).waitFor();
      await at(`carol_${device}`);
      await page.goto(`${origin}/settings/security`);
      await at('Security');

      // Shares a link from another site.
      await page.goto(`${origin}/share?text=Rooks&url=${encodeURIComponent('https://rooks.example/1')}`);
      await at('New post');
      const text = page.locator('textarea[name=status]');
      expect(await text.inputValue()).equal('Rooks https://rooks.example/1');
      await page.locator('[name=visibility]').selectOption('unlisted');
      await page.getByRole('main').getByRole('button', { name: 'Post', exact: true }).click();
      await page.getByRole('status').getByText('Your post is published.').waitFor();
      await page.goto(`${origin}/settings/security`);
      await at('Security');

      // Revokes an app.
      const app = await registerApp(server, {
        client_name: 'A client for rooks with a long name on a narrow phone',
        website: 'https://client.example/a-very-long-path-that-does-not-fit-on-any-phone-at-all',
        scopes: 'read write push admin:read',
      });
      const { access_token: token } = await server.app.tokens.issue({
        applicationId: app.id,
        accountId: id,
        scopes: ['read', 'write', 'push', 'admin:read'],
      });
      await page.goto(`${origin}/settings`);
      await at('Settings');
      await page.getByRole('main').getByRole('link', { name: /^Apps/ }).click();
      await at('Apps');
      await page.getByRole('button', { name: 'Revoke A client for rooks' }).click();
      await page.getByRole('status').waitFor();
      await at('Apps');
      expect(await isTokenGood(server, token)).to.equal(false);

      await page.goto(`${origin}/settings`);
      await page
        .getByRole('main')
        .getByRole('link', { name: /^Delete account/ })
        .click();
      await at('Delete the account');

      // Signs out and resets a forgotten password.
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

      // Deletes the account.
      await page
        .getByRole('main')
        .getByRole('link', { name: /^Delete account/ })
        .click();
      await label('Current password').fill('another battery staple');
      await press('Delete my account for good');
      await at('Your account is being deleted');
      await server.waitUntilIdle();
      expect(problems).to.deep.equal([]);
      await context.close();
    });
  }
});

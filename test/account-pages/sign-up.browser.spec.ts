import { existsSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { addRule, changeSettings } from '#commands/instance/index.ts';
import { authorizePath, OUT_OF_BAND, registerApp } from '../oauth/client.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import type { TestServer } from '../support/server.ts';
import { DEVICES, handsOn, openBrowserSite, remarksOf } from './real-browser.ts';
import { pathsMailedTo } from './support.ts';

describe('Signing up in a real browser', function () {
  this.timeout(120_000);
  let server: TestServer;
  let browser: Browser;
  let origin: string;

  before(async function () {
    if (!existsSync(CHROMIUM)) return this.skip();
    ({ server, browser, origin } = await openBrowserSite());
    for (const text of ['Be kind', 'No noise at night: rooks sleep then']) {
      await addRule(server.app.systemContext('spec'), { text, hint: 'As you would have it done to you.' });
    }
    await changeSettings(server.app.systemContext('spec'), {
      registrations: 'approved',
      privacy_policy: { content: '<p>Little is kept.</p>', updated_at: '2026-01-01T00:00:00.000Z' },
    });
    await server.waitUntilIdle();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const { device, width, colorScheme } of DEVICES) {
    it(`works on a ${device} (${colorScheme}), from the page of an app to its code`, async () => {
      const name = `rook_${device}`;
      const email = `${name}@example.org`;
      await server.user(`taken_${device}`);
      const app = await registerApp(server, { client_name: 'Caw', redirect_uris: OUT_OF_BAND });
      const context = await browser.newContext({
        viewport: { width, height: 740 },
        colorScheme,
        locale: 'fr-CH',
      });
      const page = await context.newPage();
      const problems = await remarksOf(page, origin);
      const { at, label, press, open } = handsOn(page, device);

      await page.goto(`${origin}/`);
      await open('Ask for an account');
      await at('Sign up');

      await page.goto(`${origin}${authorizePath(app, { redirect_uri: OUT_OF_BAND })}`);
      await open('New here? Sign up');
      await at('Sign up');
      // The browser itself holds back an incomplete form.
      await label('Username').fill('not a name');
      await press('Sign up');
      expect(await page.evaluate('document.activeElement.validity.patternMismatch')).to.equal(true);

      await label('Username').fill(`taken_${device}`);
      await label('E-mail address').fill(`${name}@exmaple.org`);
      await label('Password').fill('correct horse battery');
      await page.getByLabel('Why do you want to join?').fill('For the rooks.\nAnd the crows.');
      await page.getByLabel('I agree to the rules and the privacy policy').check();
      await press('Sign up');
      await page.getByRole('alert').waitFor();
      await at('Sign up');
      // The problem is tied to its field, for the eye and for screen readers.
      const username = page.getByRole('textbox', { name: 'Username', exact: true });
      expect(await username.getAttribute('aria-invalid')).to.equal('true');
      // The browser moves the focus a moment after the page is there.
      await eventually(async () =>
        expect(await page.evaluate('document.activeElement.id')).to.equal('username'),
      );
      expect(await page.locator('#username-problem').textContent()).to.contain('already been taken');
      expect(await page.getByLabel('Why do you want to join?').inputValue()).to.equal(
        'For the rooks.\nAnd the crows.',
      );
      expect(await label('Password').inputValue()).to.equal('');
      await username.fill(name);
      await label('Password').fill('correct horse battery');
      await page.keyboard.press('Enter');
      await at('Check your mail');

      await press('Send it again');
      await page.getByRole('status').getByText('The mail is on its way.').waitFor();
      await label('Another e-mail address').fill(email);
      await press('Send it there');
      await page.getByText(email, { exact: true }).waitFor();
      await at('Check your mail');
      await open('I have opened the link');
      await at('Check your mail');

      await page.goto(`${origin}${(await pathsMailedTo(server, email)).at(-1)}`);
      await at('Confirmed');
      await page.goto(`${origin}/auth/setup`);
      await at('Staff looks at your sign-up');

      const [row] = await server.app.db.query<Record<string, string>>(
        'select account_id, locale, reason from users where email = $1',
        [email],
      );
      expect([row?.['locale'], row?.['reason']]).to.deep.equal(['fr-CH', 'For the rooks.\nAnd the crows.']);
      const staff = await server.user(`owner_${device}`, { role: 'Owner', scopes: ['admin:write'] });
      const approval = `/api/v1/admin/accounts/${row?.['account_id']}/approve`;
      expect((await server.call('POST', approval, { token: staff.token })).status).to.equal(200);
      await server.waitUntilIdle();
      await page.reload();
      await page.getByRole('heading', { name: 'Let Caw use your account?' }).waitFor();
      await press('Allow');
      expect(await page.locator('#code').textContent()).to.match(/^[\w-]+$/);
      expect(problems).to.deep.equal([]);
      await context.close();
    });
  }
});

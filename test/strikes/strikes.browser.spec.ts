import { existsSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { Report, Status } from '#mastodon/schemas/index.ts';
import { DEVICES, handsOn, openBrowserSite, remarksOf } from '../account-pages/real-browser.ts';
import { addressOf } from '../account-pages/support.ts';
import { CHROMIUM } from '../support/chromium.ts';
import type { TestServer, TestUser } from '../support/server.ts';

describe('Appealing in a browser', function () {
  this.timeout(120_000);
  let server: TestServer;
  let browser: Browser;
  let origin: string;
  let admin: TestUser;

  before(async function () {
    if (!existsSync(CHROMIUM)) return this.skip();
    ({ server, browser, origin } = await openBrowserSite());
    admin = await server.user('admin', { role: 'Admin', scopes: ['read', 'write', 'admin:write'] });
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const ask = async <Json>(who: TestUser, path: string, body: object): Promise<Json> => {
    const answer = await server.call('POST', path, { token: who.token, body });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body as Json;
  };

  for (const { device, width, colorScheme } of DEVICES) {
    it(`works for a suspended user on a ${device}, ${colorScheme}, without scripts`, async () => {
      const who = await server.user(`alice_${device}`);
      const { id: post } = await ask<Status>(who, '/api/v1/statuses', { status: 'Buy eggs' });
      const report = { account_id: who.id, status_ids: [post] };
      const { id: report_id } = await ask<Report>(admin, '/api/v1/reports', report);
      await server.waitUntilIdle();
      const measure = { type: 'suspend', text: 'No advertising.', report_id };
      await ask(admin, `/api/v1/admin/accounts/${who.id}/action`, measure);
      await server.waitUntilIdle();

      const context = await browser.newContext({ viewport: { width, height: 740 }, colorScheme });
      const page = await context.newPage();
      const problems = await remarksOf(page, origin);
      const { at, label, press, open } = handsOn(page, device);
      await page.goto(`${origin}/auth/sign_in`);
      await label('E-mail address or username').fill(await addressOf(server, who.id));
      await label('Password').fill(`correct horse ${who.username}`);
      await page.keyboard.press('Enter');
      await at('Strikes');
      await open('Your account was suspended');
      await at('Your account was suspended');
      await page.getByText('Buy eggs').waitFor();
      await label('Why it is a mistake').fill('These were my own eggs');
      await press('Appeal');
      await page.getByRole('status').getByText('Your appeal is with the moderators.').waitFor();
      await at('Your account was suspended');
      await press('Withdraw my appeal');
      await page.getByRole('status').getByText('Your appeal is withdrawn.').waitFor();
      await page.goto(`${origin}/settings`);
      await at('Not possible');
      await open('See why, and appeal');
      await at('Strikes');
      expect(problems).to.deep.equal([]);
      await context.close();
    });
  }
});

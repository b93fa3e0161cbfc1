import { existsSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { openBrowserSite, remarksOf } from '../account-pages/real-browser.ts';
import { axeFindings } from '../pages/axe.ts';
import { CHROMIUM } from '../support/chromium.ts';
import type { TestServer, TestUser } from '../support/server.ts';

const OVERFLOW = 'document.documentElement.scrollWidth - innerWidth';
const LOOKS = [
  { width: 1_280, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
] as const;

describe('The event log in a browser', function () {
  this.timeout(120_000);
  let server: TestServer;
  let browser: Browser;
  let origin: string;
  let alice: TestUser;
  let bob: TestUser;

  before(async function () {
    if (!existsSync(CHROMIUM)) return this.skip();
    ({ server, browser, origin } = await openBrowserSite());
    await server.user('owner', { role: 'Owner' });
    [alice, bob] = await Promise.all([server.user('alice'), server.user('bob')]);
    await server.waitUntilIdle();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  async function operator(options: { javaScriptEnabled?: boolean; timezoneId?: string } = {}): Promise<Page> {
    const page = await (await browser.newContext({ baseURL: origin, ...options })).newPage();
    await page.goto('/auth/sign_in');
    await page.fill('[name=login]', 'owner');
    await page.fill('[name=password]', 'correct horse owner');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL((url) => !url.pathname.includes('sign_in'));
    return page;
  }
  const send = (user: TestUser, method: string, path: string, body?: object) =>
    server.call(method, path, { token: user.token, body });

  async function isWell(page: Page): Promise<void> {
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      const where = `${page.url()}, ${colorScheme}, ${width} pixels`;
      expect(await axeFindings(page), where).to.deep.equal([]);
      expect(await page.evaluate(OVERFLOW), where).to.be.at.most(0);
    }
    await page.setViewportSize({ width: 1_280, height: 800 });
  }

  it('shows a new post as it comes, and leads to its trace and to the event', async () => {
    const page = await operator();
    const remarks = await remarksOf(page, origin);
    await page.goto('/admin/log?type=StatusCreated');
    await page.getByText('No event matches there').waitFor();
    await send(alice, 'POST', '/api/v1/statuses', { status: 'hello operator' });
    const row = page.getByRole('row').filter({ hasText: '@alice' });
    await row.waitFor();
    await isWell(page);
    await row.getByRole('link', { name: /^Trace/ }).click();
    await page.getByRole('heading', { name: 'Trace', level: 1 }).waitFor();
    await isWell(page);
    await page.locator('.trace').getByRole('link', { name: 'StatusCreated' }).click();
    await page.getByRole('heading', { name: /^StatusCreated, position/, level: 1 }).waitFor();
    expect(await page.getByText('hello operator').count()).to.equal(0);
    await isWell(page);
    await page.getByRole('link', { name: 'Show personal fields' }).click();
    await page.getByText('hello operator', { exact: true }).waitFor();
    expect(remarks).to.deep.equal([]);
  });

  it('shows the reaction to an event below the event', async () => {
    await send(bob, 'PATCH', '/api/v1/accounts/update_credentials', { locked: true });
    await send(alice, 'POST', `/api/v1/accounts/${bob.id}/follow`);
    const { headers } = await send(bob, 'PATCH', '/api/v1/accounts/update_credentials', { locked: false });
    await server.waitUntilIdle();
    const page = await operator();
    await page.goto(`/admin/trace/${headers.get('x-request-id') ?? ''}`);
    const cause = page.locator('.trace > li > ol > li').filter({ hasText: 'AccountUpdated' });
    const reaction = cause.locator('ol > li').filter({ hasText: 'unlocked-accounts' }).first();
    await reaction.getByRole('link', { name: 'FollowRequestAuthorized' }).waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'relationships' }).count()).to.be.greaterThan(0);
  });

  it('finds an account by the search box, in both schemes and widths', async () => {
    const page = await operator();
    const remarks = await remarksOf(page, origin);
    await page.goto('/admin/log');
    await page.getByRole('searchbox', { name: 'Search the console' }).fill('alice');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Accounts with this handle' }).waitFor();
    await isWell(page);
    await page.goto('/admin/search');
    await isWell(page);
    expect(remarks).to.deep.equal([]);
  });

  it('shows times in UTC in any zone of the browser, and reads them again as a filter', async () => {
    const page = await operator({ timezoneId: 'Asia/Kolkata' });
    await page.goto('/admin/log?type=AccountCreated');
    const time = page.locator('.table-box time').first();
    expect(await time.getAttribute('title')).to.match(/^\d{4}-.*Z, (now|\d+[mhd] ago)$/);
    const text = await time.innerText();
    expect(text).to.match(/\d\d:\d\d UTC$/);
    expect(Date.parse(text)).to.equal(
      Math.floor(Date.parse((await time.getAttribute('datetime')) ?? '') / 60_000) * 60_000,
    );
    await page.getByLabel('From (UTC)').fill(text);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL(/from=/);
    await page.getByRole('row').filter({ hasText: 'AccountCreated' }).first().waitFor();
  });

  it('does not move while it is paused, and follows again', async () => {
    const page = await operator();
    await page.goto('/admin/log?type=ListCreated');
    await page.getByRole('link', { name: 'Pause' }).click();
    await page.getByText('Paused').waitFor();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.resourceType()));
    await send(alice, 'POST', '/api/v1/lists', { title: 'Friends' });
    await server.waitUntilIdle();
    await page.getByRole('link', { name: 'Follow' }).click();
    await page.getByRole('row').filter({ hasText: 'ListCreated' }).waitFor();
    expect(requests.slice(0, requests.indexOf('document'))).to.not.include('eventsource');
    await send(alice, 'POST', '/api/v1/lists', { title: 'Family' });
    await page.getByRole('row').filter({ hasText: 'ListCreated' }).nth(1).waitFor();
  });

  it('shows all of it without scripts, and looks again by a link', async () => {
    const page = await operator({ javaScriptEnabled: false });
    await page.goto('/admin/log?actor=bob&type=FilterCreated');
    await page.getByText('No event matches there').waitFor();
    await send(bob, 'POST', '/api/v2/filters', { title: 'Goals', context: ['home'] });
    await page.getByRole('link', { name: 'Refresh' }).click();
    await page.getByRole('row').filter({ hasText: 'FilterCreated' }).waitFor();
  });
});

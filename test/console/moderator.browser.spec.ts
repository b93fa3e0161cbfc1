import { existsSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { appealStrike } from '#commands/strikes/index.ts';
import type { AdminAppeal, Waiting } from '#mastodon/schemas/index.ts';
import { openBrowserSite } from '../account-pages/real-browser.ts';
import { axeFindings } from '../pages/axe.ts';
import { CHROMIUM } from '../support/chromium.ts';
import type { TestServer, TestUser } from '../support/server.ts';

const REPORTS = 20;
const SCOPES = ['read', 'write', 'admin:read', 'admin:write'];
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describe('A day of a moderator', function () {
  this.timeout(120_000);
  let server: TestServer;
  let browser: Browser;
  let origin: string;
  let admin: TestUser;
  let mod: TestUser;
  let reporter: TestUser;

  before(async function () {
    if (!existsSync(CHROMIUM)) return this.skip();
    ({ server, browser, origin } = await openBrowserSite());
    admin = await server.user('ada', { role: 'Admin', scopes: SCOPES });
    mod = await server.user('mod', { role: 'Moderator', scopes: SCOPES });
    reporter = await server.user('paula');
    for (let number = 1; number <= REPORTS; number += 1) await fileReport(number);
    await server.waitUntilIdle();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const call = async <Json>(
    method: string,
    path: string,
    { token }: TestUser,
    body?: object,
  ): Promise<Json> => {
    const answer = await server.call(method, path, { token, ...(body && { body }) });
    expect(answer.status, path).to.equal(200);
    return answer.body as Json;
  };
  async function fileReport(number: number): Promise<void> {
    const bad = await server.user(`loud${number}`);
    const status = `A loud post, number ${number}`;
    const { id } = await call<{ id: string }>('POST', '/api/v1/statuses', bad, { status });
    await server.waitUntilIdle();
    const body = { account_id: bad.id, status_ids: [id], comment: `Too loud, number ${number}` };
    await call('POST', '/api/v1/reports', reporter, body);
  }
  async function signIn(login: string): Promise<Page> {
    const context = await browser.newContext({ baseURL: origin, viewport: { width: 1_280, height: 900 } });
    const page = await context.newPage();
    await page.goto('/auth/sign_in');
    await page.fill('[name=login]', login);
    await page.fill('[name=password]', `correct horse ${login}`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL((url) => !url.pathname.includes('sign_in'));
    return page;
  }
  /** Shows the page to axe in both schemes, on a desktop and on a phone. */
  async function looked(page: Page): Promise<void> {
    const path = new URL(page.url()).pathname;
    for (const [width, colorScheme] of [
      [1_280, 'light'],
      [320, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      expect(await axeFindings(page), `${path}, ${colorScheme}`).to.deep.equal([]);
      expect(await page.evaluate(OVERFLOW), `${path} at ${width} pixels`).to.be.at.most(0);
    }
    await page.setViewportSize({ width: 1_280, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
  }
  /** Presses a key that leads to another page, and waits until it is there. */
  async function keyTo(page: Page, key: string, form: RegExp): Promise<void> {
    const before = page.url();
    await page.keyboard.press(key);
    await page.waitForURL((url) => url.href !== before && form.test(`${url.pathname}${url.search}`));
    await page.waitForLoadState();
  }

  const waiting = (): Promise<Waiting> => call<Waiting>('GET', '/api/v1/admin/waiting', admin);
  const REPORT = /^\/admin\/reports\/\d+(\?done=report_\w+)?(#notes)?$/;

  it('works through twenty reports by keyboard', async () => {
    const page = await signIn('mod');
    await page.goto('/admin');
    await looked(page);
    expect((await waiting()).reports?.unresolved).to.equal(REPORTS);
    await page.goto('/admin/reports');
    await looked(page);
    await keyTo(page, 'j', REPORT);
    await looked(page);
    await showsKeys(page);
    const first = page.url();
    await keyTo(page, 'j', REPORT);
    await keyTo(page, 'k', REPORT);
    expect(new URL(page.url()).pathname).to.equal(new URL(first).pathname);
    await keyTo(page, 'a', /\?done=report_assigned$/);
    await notes(page);
    for (let number = 1; number <= REPORTS; number += 1) await decide(page, number);
    expect(new URL(page.url()).pathname).to.equal('/admin/reports');
    await page.getByText('No report waits.').waitFor();
    expect((await waiting()).reports?.unresolved).to.equal(0);
  });

  async function showsKeys(page: Page): Promise<void> {
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keys of this page' });
    await dialog.waitFor();
    for (const name of ['Next report', 'Assign to me', 'Leave a note', 'Resolve without action'])
      expect(await dialog.textContent()).to.contain(name);
    expect(await axeFindings(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }

  async function notes(page: Page): Promise<void> {
    await page.keyboard.press('n');
    await page.keyboard.type('jar of notes');
    expect(await page.getByLabel('Leave a note').inputValue()).to.equal('jar of notes');
    await page.keyboard.press('Tab');
    await keyTo(page, 'Enter', /\?done=report_noted#?/);
    await page.getByText('jar of notes').waitFor();
  }

  /** Limits the first account, and resolves the other reports. */
  async function decide(page: Page, number: number): Promise<void> {
    if (number > 1) {
      await keyTo(page, 'r', /\/act\/resolve$/);
      if (number === 2) await looked(page);
    } else {
      await keyTo(page, 'l', /\/act\/silence$/);
      await looked(page);
      await page.keyboard.type('Please be less loud.');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
    }
    // The button of the decision has the focus.
    await page.locator('main button[type=submit]:focus').waitFor();
    await keyTo(page, 'Enter', /\?done=report_decided$/);
  }

  it('decides an appeal against a strike of another member of staff', async () => {
    const [limited] = await call<{ id: string }[]>('GET', '/api/v2/admin/accounts?status=silenced', admin);
    const record = await call<{ strikes: { id: string }[] }>(
      ...(['GET', `/api/v1/admin/accounts/${limited?.id}/record`, admin] as const),
    );
    const plea = { strikeId: record.strikes[0]?.id ?? '', accountId: limited?.id ?? '', text: 'I whispered' };
    await appealStrike(server.app.systemContext('spec'), plea);
    await server.waitUntilIdle();
    const page = await signIn('ada');
    await page.goto('/admin/appeals');
    await looked(page);
    await page.getByRole('link', { name: 'I whispered' }).press('Enter');
    await page.getByRole('heading', { name: /^Appeal of/, level: 1 }).waitFor();
    await page.getByText('Four eyes').first().waitFor();
    await looked(page);
    await page.getByRole('link', { name: 'Approve…' }).press('Enter');
    await page.getByLabel('Your answer to them').fill('You are right');
    await looked(page);
    await page.getByRole('button', { name: 'Approve the appeal' }).press('Enter');
    await page.getByText('The appeal is decided.').waitFor();
    const [appeal] = await call<AdminAppeal[]>('GET', '/api/v1/admin/appeals', admin);
    expect([appeal?.state, appeal?.decided_by_account?.username]).to.deep.equal(['approved', 'ada']);
    expect([appeal?.imposed_by_account?.id, appeal?.account.silenced]).to.deep.equal([mod.id, false]);
    await page.goto(`/admin/accounts/${limited?.id}`);
    await looked(page);
    for (const path of ['/admin/accounts', '/admin/sign_ups', `/admin/accounts/${limited?.id}/act/suspend`]) {
      await page.goto(path);
      await looked(page);
    }
  });
});

import { existsSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { Report, Status } from '#mastodon/schemas/index.ts';
import { axeFindings } from '../pages/axe.ts';
import { CHROMIUM, openBrowser } from '../support/chromium.ts';
import { ok, startTown, type Town } from '../support/people.ts';

const STATE = '#replay-state';

describe('A replay in a browser', function () {
  this.timeout(120_000);
  let town: Town;
  let browser: Browser;
  let page: Page;
  let path: string;
  const errors: string[] = [];

  before(async function () {
    this.timeout(180_000);
    if (!existsSync(CHROMIUM)) return this.skip();
    town = await startTown();
    const [alice, bob] = await Promise.all([town.person('alice'), town.person('bob')]);
    const boss = await town.staff('boss', 'Owner');
    const post = await ok(bob.post<Status>('/api/v1/statuses', { status: 'Buy eggs' }));
    await town.waitUntilIdle();
    const filed = { account_id: bob.id, status_ids: [post.id], comment: 'Eggs' };
    const report = await ok(alice.post<Report>('/api/v1/reports', filed));
    const action = { type: 'suspend', text: 'No eggs', report_id: report.id };
    await ok(boss.post(`/api/v1/admin/accounts/${bob.id}/action`, action));
    await ok(boss.post(`/api/v1/admin/accounts/${bob.id}/unsuspend`));
    await town.waitUntilIdle();
    await town.app.transparencyLog.record();
    path = `/admin/replay/account/${bob.id}`;
    browser = await openBrowser();
    page = await seat({});
    page.on('pageerror', (error) => errors.push(String(error)));
  });
  after(async () => {
    await browser?.close();
    await town?.close();
  });

  async function seat(options: { javaScriptEnabled?: boolean }): Promise<Page> {
    const opened = await (await browser.newContext({ baseURL: town.url, ...options })).newPage();
    await opened.goto('/auth/sign_in');
    await opened.fill('[name=login]', 'boss');
    await opened.fill('[name=password]', 'correct horse boss');
    await opened.getByRole('button', { name: 'Sign in', exact: true }).click();
    await opened.waitForURL((url) => !url.pathname.includes('sign_in'));
    return opened;
  }

  /** Goes back, a step at a time, until the text is in the state. */
  async function backUntil(on: Page, text: string): Promise<void> {
    for (let step = 0; step < 20; step += 1) {
      if ((await on.textContent(STATE))?.includes(text)) return;
      const address = on.url();
      await on.locator('#replay-back').click();
      await on.waitForURL((url) => url.href !== address);
    }
    expect.fail(`No step has ${text}`);
  }

  it('steps through a reversed suspension in place, and keeps the focus', async () => {
    await page.goto('/admin/replay');
    await page.fill('main [name=q]', '@bob');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${path}`);
    await page.evaluate('window.isSamePage = true');
    expect(await page.textContent(STATE)).to.include('Active');
    await backUntil(page, 'Only staff');
    expect(await page.evaluate('document.activeElement.id')).to.equal('replay-back');
    expect(await page.evaluate('window.isSamePage')).to.equal(true);
    await page.locator('.history-steps a', { hasText: ': suspended the account' }).click();
    await page.locator('.change-box', { hasText: 'suspended: no → becomes yes' }).waitFor();
  });

  it('moves the slider by the keyboard', async () => {
    await page.goto(`${path}?step=3`);
    await page.locator('#step').focus();
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL('**?step=2');
    await page.locator('#change-title', { hasText: 'Step 2 of' }).waitFor();
  });

  it('proves a line in the browser', async () => {
    await page.goto(path);
    await page.locator('.history-steps a', { hasText: 'Prove this' }).first().click();
    const findings = page.locator('[data-proof-findings] li');
    await findings.nth(2).waitFor();
    expect(await page.locator('[data-proof-findings] .bad').allTextContents()).to.deep.equal([]);
    expect((await findings.allTextContents()).join()).to.match(/The hash is that of [A-Z]\w+\./);
  });

  it('finds a proof false that was changed on its way', async () => {
    await page.route('**/admin/proofs/*', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replaceAll(/(tree_size&#34;:)(\d+)/g, '$19$2');
      await route.fulfill({ response: answer, body });
    });
    await page.reload();
    await page.locator('[data-proof-findings] .bad').first().waitFor();
    await page.unroute('**/admin/proofs/*');
  });

  it('proves a checkpoint in the browser', async () => {
    await page.goto('/admin/checkpoints');
    await page
      .getByRole('link', { name: /^Consistency/ })
      .last()
      .click();
    await page.locator('[data-proof-findings] .good').nth(1).waitFor();
    expect(await page.locator('[data-proof-findings] .bad').count()).to.equal(0);
  });

  it('works without scripts', async () => {
    const still = await seat({ javaScriptEnabled: false });
    await still.goto(path);
    await backUntil(still, 'Only staff');
    await still.locator('.history-steps a', { hasText: 'Prove this' }).first().click();
    expect(await still.textContent('.proof'))
      .to.include('is number')
      .and.include('download the proof');
  });

  it('is accessible in both schemes', async () => {
    const proof = await page
      .goto(path)
      .then(() => page.locator('.history-steps a[href^="/admin/proofs"]').first().getAttribute('href'));
    for (const each of [
      '/admin/replay',
      path,
      proof ?? '',
      '/admin/checkpoints',
      '/admin/checkpoints/compare',
    ]) {
      await page.goto(each);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await axeFindings(page), `${each}, ${colorScheme}`).to.deep.equal([]);
      }
    }
    expect(errors).to.deep.equal([]);
  });
});

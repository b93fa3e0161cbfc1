import { existsSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createAccount } from '#commands/accounts/index.ts';
import type { UserRole } from '#events/accounts.ts';
import { actingOn } from '../../scripts/demo/act.ts';
import { openBrowserSite } from '../account-pages/real-browser.ts';
import { axeFindings } from '../pages/axe.ts';
import { CHROMIUM, savedFile } from '../support/chromium.ts';
import type { TestServer } from '../support/server.ts';

const SCOPES = ['read', 'write', 'admin:read', 'admin:write'];
const DAY = 86_400_000;

interface Resident {
  id: string;
  token: string;
}

/** The first day of a month, counted from this one (UTC). */
const firstOf = (months: number): Date => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
};
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

describe('An auditor at work', function () {
  this.timeout(120_000);
  let server: TestServer;
  let browser: Browser;
  let origin: string;

  before(async function () {
    if (!existsSync(CHROMIUM)) return this.skip();
    ({ server, browser, origin } = await openBrowserSite());
    const acting = actingOn(server.app);
    const at = (day: number): number => firstOf(-1).getTime() + day * DAY;
    // The log is in the order of its times, as everywhere.
    const resident = async (username: string, role: UserRole | null = null): Promise<Resident> => {
      const id = await createAccount(acting.operator(at(1)), {
        username,
        email: `${username}@example.org`,
        password: `correct horse ${username}`,
        locale: 'en',
        confirmed: true,
        approved: true,
        role,
        reason: null,
        applicationId: null,
        signUpIp: null,
      });
      return { id, token: await server.tokenFor(id, SCOPES) };
    };
    const mod = await resident('mod', 'Moderator');
    const boss = await resident('boss', 'Owner');
    const [vera, ben] = [await resident('vera'), await resident('ben')];
    await acting.settle();
    const report = await acting.call<{ id: string }>('POST /api/v1/reports', {
      token: ben.token,
      at: at(9),
      body: { account_id: vera.id, category: 'spam', comment: 'Three posters' },
    });
    await acting.settle();
    const path = 'POST /api/v1/admin/accounts/:id';
    await acting.call(`${path}/action`, {
      token: mod.token,
      at: at(10),
      params: { id: vera.id },
      body: { type: 'suspend', report_id: report.id, text: 'Repeated advertising.' },
    });
    await acting.settle();
    await acting.call(`${path}/unsuspend`, { token: boss.token, at: at(11), params: { id: vera.id } });
    // An act of this month beside it.
    await acting.settle();
    await acting.call(`${path}/action`, {
      token: mod.token,
      params: { id: ben.id },
      body: { type: 'silence' },
    });
    await server.waitUntilIdle();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  async function seat(options: Parameters<Browser['newContext']>[0] = {}): Promise<[Page, BrowserContext]> {
    const context = await browser.newContext({ baseURL: origin, ...options });
    const page = await context.newPage();
    await page.goto('/auth/sign_in');
    await page.fill('[name=login]', 'mod');
    await page.fill('[name=password]', 'correct horse mod');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL((url) => !url.pathname.includes('sign_in'));
    return [page, context];
  }

  async function expectAccessible(page: Page): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFindings(page), `${page.url()}, ${colorScheme}`).to.deep.equal([]);
    }
  }

  for (const width of [1_280, 390]) {
    it(`finds a reversed suspension of last month, and exports it, at ${width} pixels`, async () => {
      const [page, context] = await seat({ viewport: { width, height: 900 } });
      await page.goto('/admin/audit');
      await page.getByRole('link', { name: 'Reversals' }).click();
      await page.waitForURL(/account\.unsuspended/);
      await page.getByLabel('From (UTC)').fill(dayOf(firstOf(-1)));
      await page.getByLabel('Before (UTC)').fill(dayOf(firstOf(0)));
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.waitForURL(/from=\d/);
      const lines = page.locator('.audit-line');
      expect(await lines.count()).to.equal(1);
      expect(await lines.locator('.said').innerText()).to.equal(
        '@boss (Owner) lifted the suspension of @vera, with the app tests.',
      );
      expect(await lines.locator('.changes').innerText()).to.match(/^suspended: yes\s+→.*no$/s);
      await expectAccessible(page);

      // The same days, with everything about that account: why it was suspended.
      await page.getByLabel('Done to', { exact: true }).fill('@vera');
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.waitForURL(/target=/);
      await page.getByRole('link', { name: 'Everything' }).click();
      await page.getByText('Repeated advertising.').waitFor();
      expect(await lines.locator('.said').first().innerText()).to.include('lifted the suspension');
      await page.locator('details.rest > summary').first().click();
      await page.locator('.rest .said', { hasText: /resolved report \d+/ }).waitFor();
      await expectAccessible(page);

      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: /CSV$/ }).click(),
      ]);
      const table = String(await savedFile(download));
      const actions = table
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(',')[2]);
      expect(actions[0]).to.equal('action');
      expect(actions.slice(1)).to.include.members(['account.suspended', 'account.unsuspended']);
      expect(actions).not.to.include('account.silenced');

      await lines.locator('.when a').first().click();
      await page.getByRole('heading', { name: 'Suspension lifted', level: 1 }).waitFor();
      await expectAccessible(page);
      await page.goto('/admin/transparency?by=quarter');
      await page.getByRole('heading', { name: 'Transparency report', level: 1 }).waitFor();
      await expectAccessible(page);
      await context.close();
    });
  }

  it('works with scripts turned off', async () => {
    const [page, context] = await seat({ javaScriptEnabled: false });
    await page.goto('/admin/audit');
    await page.getByText('More filters').click();
    await page.getByLabel('Include views of the log').check();
    await page.getByLabel('Moderator', { exact: true }).check();
    await page.getByLabel('Done to', { exact: true }).fill('ben');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL(/role%5B%5D=Moderator/);
    expect(await page.locator('.said').allInnerTexts()).to.deep.equal([
      '@mod (Moderator) limited @ben, with the app tests.',
    ]);
    expect(await page.getByLabel('Moderator', { exact: true }).isChecked()).to.equal(true);
    await context.close();
  });
});

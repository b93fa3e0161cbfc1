import { existsSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { LOCKS } from '#storage/postgres/locks.ts';
import { axeFindings } from '../pages/axe.ts';
import { CHROMIUM, openBrowser } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { type Person, startTown, type Town } from '../support/people.ts';
import { haltMarkers, mendMarkers, queueFor, setAside } from './support.ts';

const LOOKS = [
  { width: 1_280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const;

describe('An operator in a browser', function () {
  this.timeout(60_000);
  let town: Town;
  let owner: Person;
  let browser: Browser;
  let page: Page;

  before(async function () {
    this.timeout(120_000);
    if (!existsSync(CHROMIUM)) return this.skip();
    const port = String(await freePort());
    town = await startTown({ LOCAL_DOMAIN: `localhost:${port}`, PORT: port });
    owner = await town.staff('owner', 'Owner');
    for (const text of ['one', 'two', 'three']) await owner.post('/api/v1/statuses', { status: text });
    browser = await openBrowser();
    page = await browser.newPage({ baseURL: town.app.instance.origin });
    await page.goto('/auth/sign_in');
    await page.fill('[name=login]', 'owner');
    await page.fill('[name=password]', 'correct horse owner');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL((url) => !url.pathname.includes('sign_in'));
  });
  after(async () => {
    await browser?.close();
    await town?.close();
  });

  const isClean = async (): Promise<void> => {
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      expect(await axeFindings(page), `${page.url()}, ${colorScheme}`).to.deep.equal([]);
    }
    await page.setViewportSize({ width: 1_280, height: 900 });
  };
  const sees = (text: string): Promise<void> => page.getByText(text).first().waitFor();
  const follow = (name: string): Promise<void> =>
    page.getByRole('link', { name, exact: true }).first().click();
  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

  it('finds a projection that an event has halted, mends the cause, and tries it again', async () => {
    await page.goto('/admin/projections');
    await isClean();
    await haltMarkers(town, owner);
    // The open page says so by itself.
    await page.locator('#projections').getByText('Halted').waitFor();
    await follow('markers');
    await sees('violates check constraint');
    await sees('What to do');
    await isClean();
    await mendMarkers(town);
    await follow('Retry');
    await sees('processes the event');
    await isClean();
    await press('Retry');
    await sees('Retrying. This page');
    await page.locator('#projection-state').getByText('Running').waitFor();
    expect(await page.locator('#projection-trouble').textContent()).not.to.include('constraint');
  });

  it('follows a rebuild live to its end, with equal digests', async () => {
    await page.goto('/admin/projections/statuses');
    await follow('Rebuild');
    await sees('reads the whole log');
    await isClean();
    await town.app.projectionDb.transaction(async (lock) => {
      await lock.query(`select pg_advisory_xact_lock(${LOCKS.rebuild})`);
      await press('Rebuild');
      await page.locator('#projection-run').getByText('waiting for another build').waitFor();
      await isClean();
    });
    // The page shows the end without being opened again.
    await sees('They have the same rows as the old ones');
    const digests = page.locator('#projection-run tbody tr');
    expect(await digests.count()).to.be.above(0);
    for (const row of await digests.all()) expect(await row.textContent()).to.include('Equal');
    await isClean();
  });

  it('fits the longest digests on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 900 });
    const box = page.locator('#projection-run .table-box');
    for (const cell of await box.locator('td').all()) {
      await cell.evaluate((td) => (td.textContent = `99999 ${'9'.repeat(40)}`));
    }
    expect(await box.evaluate((element) => element.scrollWidth - element.clientWidth)).to.equal(0);
    await page.setViewportSize({ width: 1_280, height: 900 });
  });

  it('compares a projection with the log, and cancels a rebuild', async () => {
    await page.goto('/admin/projections/polls/verify');
    await press('Verify');
    await sees('Every table matches the log');
    await page.goto('/admin/projections/polls/rebuild');
    await town.app.projectionDb.transaction(async (lock) => {
      await lock.query(`select pg_advisory_xact_lock(${LOCKS.rebuild})`);
      await press('Rebuild');
      await follow('Cancel it');
      await isClean();
      await press('Cancel it');
      await sees('It was cancelled');
    });
  });

  it('retries a dead letter', async () => {
    await setAside(town, 'preview-cards');
    await page.goto('/admin/reactors');
    await isClean();
    await follow('StatusCreated');
    await sees('The mail server said <no>');
    await isClean();
    await follow('Retry');
    await isClean();
    await press('Retry');
    await sees('Retrying. Events');
    // The list empties itself.
    await page.locator('#dead-letters').getByText('No failed events.').waitFor();
  });

  it('gives up what waits for a server, and looks at the jobs', async () => {
    await queueFor(town, 'slow.example');
    await page.goto('/admin/federation');
    await isClean();
    await follow('slow.example');
    await isClean();
    await follow('Give up');
    await isClean();
    await press('Give up');
    await sees('The deliveries to this server are removed.');
    await town.app.contextDependencies.services.jobs.enqueue('spec', {}, { after: 3_600 });
    await page.goto('/admin/jobs');
    await page.locator('#jobs').getByText('Scheduled').first().waitFor();
    await isClean();
  });
});

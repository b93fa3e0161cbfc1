import { existsSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { filesIn, made } from '../archives/scene.ts';
import { finished } from '../imports/scene.ts';
import { problemsOf } from '../pages/accessibility.ts';
import { CHROMIUM, openBrowser, savedFile } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

describe('Export and import in a browser', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let browser: Browser | undefined;
  let page: Page;

  before(async function () {
    if (!existsSync(CHROMIUM)) this.skip();
    const port = await freePort();
    const host = `127.0.0.1:${port}`;
    server = await startTestServer({ PORT: String(port), LOCAL_DOMAIN: host, LOCAL_HTTPS: 'false' });
    alice = await server.user('alice');
    await server.user('bob');
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 360, height: 700 } });
    await page.goto(`${server.url}/auth/sign_in`);
    await page.fill('#login', 'alice');
    await page.fill('#password', 'correct horse alice');
    await page.click('main button[type=submit]');
  });
  after(async () => {
    await browser?.close();
    if (browser) await server.close();
  });

  it('upload a CSV file and download one', async () => {
    for (const path of ['/settings/export', '/settings/import']) {
      await page.goto(`${server.url}${path}`);
      expect(await problemsOf(page), path).to.deep.equal([]);
    }
    await page.selectOption('#type', 'mutes');
    const buffer = Buffer.from('Account address,Hide notifications\nbob,false\nnobody,true\n');
    await page.setInputFiles('#file', { name: 'mutes.csv', mimeType: 'text/csv', buffer });
    await page.click('form[enctype] button');
    expect(await page.textContent('[role=status]')).to.contain('The import has begun');
    const [begun] = await server.app.contextDependencies.services.imports.of(alice.id);
    await finished(server.app, begun?.id ?? '');
    await page.reload();
    expect(await page.textContent('main')).to.contain('1 of 2 imported');
    expect(await problemsOf(page)).to.deep.equal([]);
    await page.goto(`${server.url}/settings/export`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('a[href$="muted_accounts.csv"]'),
    ]);
    expect(download.suggestedFilename()).to.equal('muted_accounts.csv');
    expect(String(await savedFile(download))).to.match(/\r\nbob@127\.0\.0\.1:\d+,false\r\n$/);
  });

  it('request the archive and download it', async () => {
    await page.goto(`${server.url}/settings/export`);
    await page.click('form[action="/settings/export"] button');
    expect(await page.textContent('[role=status]')).to.contain('is being made');
    expect(await problemsOf(page)).to.deep.equal([]);
    await made(server.app, alice.id);
    await page.goto(`${server.url}/settings/export`);
    expect(await problemsOf(page)).to.deep.equal([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('a[href="/settings/export/archive"]'),
    ]);
    expect(download.suggestedFilename()).to.match(/^archive-\d+-\d+\.tar\.gz$/);
    const files = await filesIn(await savedFile(download));
    expect([...files.keys()]).to.include.members(['actor.json', 'outbox.json']);
  });
});

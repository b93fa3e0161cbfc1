import { existsSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { problemsOf } from '../pages/accessibility.ts';
import { CHROMIUM, openBrowser } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

describe('Aliases and moves in a browser', function () {
  this.timeout(60_000);
  let server: TestServer;
  let browser: Browser | undefined;

  before(async function () {
    if (!existsSync(CHROMIUM)) this.skip();
    const port = await freePort();
    const host = `127.0.0.1:${port}`;
    server = await startTestServer({ PORT: String(port), LOCAL_DOMAIN: host, LOCAL_HTTPS: 'false' });
    await server.user('old');
    await server.user('fresh');
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    if (browser) await server.close();
  });

  const signIn = async (login: string): Promise<Page> => {
    const context = await browser?.newContext({ viewport: { width: 360, height: 700 } });
    const page = await (context as NonNullable<typeof context>).newPage();
    await page.goto(`${server.url}/auth/sign_in`);
    await page.fill('#login', login);
    await page.fill('#password', `correct horse ${login}`);
    await page.click('main button[type=submit]');
    return page;
  };
  const look = async (page: Page, what: string): Promise<void> => {
    const folder = process.env['TEST_SCREENSHOTS'];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${what}.png`, fullPage: true });
    expect(await problemsOf(page), what).to.deep.equal([]);
  };

  it('move an account to another one and back', async () => {
    const [old, fresh] = [await signIn('old'), await signIn('fresh')];
    const domain = new URL(server.url).host;
    await fresh.goto(`${server.url}/settings/aliases`);
    await look(fresh, 'no-alias');
    await fresh.fill('#handle', `@old@${domain}`);
    await fresh.click('text=Add the alias');
    expect(await fresh.textContent('[role=status]')).to.contain('The alias is there.');
    await look(fresh, 'alias');

    await old.goto(`${server.url}/settings/migration`);
    await look(old, 'before-the-move');
    await old.fill('#handle_to_move', '@nobody');
    await old.fill('#password_to_move', 'correct horse old');
    await old.click('button.danger');
    expect(await old.textContent('[role=alert]')).to.contain('No such account was found.');
    expect(await old.inputValue('#handle_to_move')).to.equal('@nobody');
    expect(await old.inputValue('#handle_to_redirect')).to.equal('');
    await look(old, 'refused-move');
    await old.fill('#handle_to_move', `@fresh@${domain}`);
    await old.fill('#password_to_move', 'correct horse old');
    await old.click('button.danger');
    expect(await old.innerText('main')).to.contain(`has moved to @fresh@${domain}`);
    await look(old, 'moved');
    await old.click('text=Use this account again');
    expect(await old.textContent('[role=status]')).to.contain('in use again');
    await look(old, 'back');
    await fresh.click('[aria-label^="Remove @old"]');
    expect(await fresh.textContent('[role=status]')).to.contain('The alias is gone.');
  });
});

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { addRule, changeSettings } from '#commands/instance/index.ts';
import type { Status } from '#mastodon/schemas/index.ts';
import { rank } from '#reactors/rankings.ts';
import { openBrowserSite } from '../account-pages/real-browser.ts';
import { pathsMailedTo } from '../account-pages/support.ts';
import { authorizePath, registerApp } from '../oauth/client.ts';
import { axeFindings } from '../pages/axe.ts';
import { CHROMIUM } from '../support/chromium.ts';
import type { TestServer } from '../support/server.ts';
import { picture } from '../support/uploads.ts';

/** The folder for screenshots. None are taken when it is not set. */
const PICTURES = process.env['TEST_SCREENSHOTS'];
const ARABIC = 'سرب من الغربان فوق النهر هذا المساء';

const SETTINGS = [
  ...['', '/profile', '/preferences', '/security', '/two-factor', '/applications', '/export', '/import'],
  ...['/aliases', '/migration', '/strikes', '/delete'],
].map((path) => `/settings${path}`);
const START = ['', '/people', '/post', '/server', '/server/rules', '/server/registrations', '/server/mail']
  .concat('/server/backup')
  .map((path) => `/start${path}`);
const PUBLIC = ['/', '/about', '/privacy-policy', '/auth/sign_in', '/auth/sign_up', '/auth/password/new'];

/** `every-page.browser.spec.ts` has the other scheme of each. */
const WINDOWS = [
  { device: 'phone', width: 390, colorScheme: 'light' },
  { device: 'desktop', width: 1_280, colorScheme: 'dark' },
] as const;

describe('The front door in a browser', function () {
  this.timeout(240_000);
  let server: TestServer;
  let browser: Browser;
  let origin: string;

  before(async function () {
    if (!existsSync(CHROMIUM)) return this.skip();
    ({ server, browser, origin } = await openBrowserSite());
    const names = ['ben', 'cleo', 'dan'];
    const others = await Promise.all(names.map((name) => server.user(name)));
    for (const { token } of others) {
      await server.call('PATCH', '/api/v1/accounts/update_credentials', {
        token,
        body: { discoverable: true },
      });
      for (const { id } of others) await server.call('POST', `/api/v1/accounts/${id}/follow`, { token });
      const post = { status: ARABIC, language: 'ar' };
      await server.call('POST', '/api/v1/statuses', { token, body: post });
    }
    await server.waitUntilIdle();
    await rank(server.app.systemContext('spec'), 'accounts');
    await server.user('boss', { role: 'Owner' });
    await changeSettings(server.app.systemContext('spec'), {
      title: 'A server with a name that is rather long for a phone',
      short_description: 'For people who watch birds',
      accent_color: '#d9480f',
    });
    await addRule(server.app.systemContext('spec'), { text: 'Be kind', hint: 'Always' });
    await server.waitUntilIdle();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Names all that axe finds, and lines that are wider than the window, in closed boxes too. */
  async function look(page: Page, where: string): Promise<void> {
    for (const summary of await page.locator('main summary').all()) await summary.click();
    expect(await axeFindings(page), where).to.deep.equal([]);
    const { scrollWidth, clientWidth } = await page.evaluate<Record<string, number>>(
      '({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })',
    );
    expect(scrollWidth, `${where} is wider than its window`).to.equal(clientWidth);
    if (PICTURES === undefined) return;
    await mkdir(PICTURES, { recursive: true });
    await page.screenshot({
      path: join(PICTURES, `${where.replaceAll(/[^\w-]+/g, '-')}.png`),
      fullPage: true,
    });
  }

  async function signedInAs(login: string, context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${origin}/auth/sign_in`);
    await page.getByLabel('E-mail address or username').fill(login);
    await page.getByLabel('Password').fill(`correct horse ${login}`);
    await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL((url) => !url.pathname.startsWith('/auth/'));
    return page;
  }

  for (const { device, width, colorScheme } of WINDOWS) {
    it(`has nothing for axe to find at ${width} pixels, ${colorScheme}`, async () => {
      const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
      const stranger = await context.newPage();
      const request = authorizePath(await registerApp(server));
      for (const path of [...PUBLIC, request, '/nothing', '/home']) {
        await stranger.goto(`${origin}${path}`);
        await look(stranger, `${device} ${width} ${colorScheme} ${path.slice(0, 40)}`);
      }
      await stranger.close();
      const page = await signedInAs('boss', context);
      for (const path of [...SETTINGS, ...START, '/about', '/nothing', request]) {
        await page.goto(`${origin}${path}`);
        await look(page, `${device} ${width} ${colorScheme} boss ${path.slice(0, 40)}`);
      }
      await context.close();
    });
  }

  it('lays out Arabic posts from right to left, beside names from left to right', async () => {
    const context = await browser.newContext({ viewport: { width: 320, height: 800 } });
    const page = await context.newPage();
    await page.goto(`${origin}/`);
    const direction = (selector: string): Promise<string> =>
      page.evaluate(`getComputedStyle(document.querySelector('article ${selector}')).direction`);
    expect(await direction('.content')).to.equal('rtl');
    expect(await direction('.handle')).to.equal('ltr');
    await context.close();
  });

  it('leads from the sign-up to the first post on a small phone without scripts', async () => {
    const context = await browser.newContext({
      viewport: { width: 320, height: 640 },
      javaScriptEnabled: false,
    });
    const page = await context.newPage();
    const press = (name: string): Promise<void> =>
      page.getByRole('main').getByRole('button', { name, exact: true }).click();
    const at = (title: string): Promise<void> =>
      page.getByRole('heading', { name: title, level: 1 }).waitFor();

    await page.goto(`${origin}/`);
    await page.getByRole('main').getByRole('link', { name: 'Sign up', exact: true }).click();
    await page.getByLabel('Username').fill('erin');
    await page.getByLabel('E-mail address').fill('erin@example.org');
    await page.getByLabel('Password').fill('correct horse erin');
    await page.getByRole('checkbox').check();
    await press('Sign up');
    await at('Check your mail');
    await page.goto(`${origin}${(await pathsMailedTo(server, 'erin@example.org')).at(-1)}`);

    await at('Say who you are');
    await page.getByLabel('Display name').fill('Erin');
    await page
      .getByLabel('Picture', { exact: true })
      .setInputFiles({ name: 'rook.png', mimeType: 'image/png', buffer: await picture(80, 80, 'png') });
    await press('Save and continue');

    await at('Follow some people');
    for (const name of ['ben', 'cleo', 'dan'])
      await page.getByRole('checkbox', { name: new RegExp(`@${name}@`) }).check();
    await press('Follow and continue');

    await at('Write your first post');
    await page.getByLabel('Your post').fill('Hello, rooks! #introduction');
    await press('Post');
    await at('Home');
    await page.getByRole('status').getByText('Your post is published.').waitFor();
    await page.getByText('Hello, rooks!').waitFor();
    expect(await page.getByRole('article').count()).to.equal(4);

    await server.waitUntilIdle();
    const { body } = await server.call('GET', '/api/v1/accounts/lookup?acct=erin');
    const { id, display_name, following_count, avatar } = body as Record<string, unknown>;
    expect({ display_name, following_count }).to.deep.equal({ display_name: 'Erin', following_count: 3 });
    expect(avatar).to.contain('/media/');
    const posts = await server.call('GET', `/api/v1/accounts/${String(id)}/statuses`);
    expect((posts.body as Status[]).map(({ visibility }) => visibility)).to.deep.equal(['public']);

    // The front page is for strangers.
    await page.goto(`${origin}/`);
    await at('Home');
    await context.close();
  });
});

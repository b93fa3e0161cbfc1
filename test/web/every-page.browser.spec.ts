import { existsSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { clientPages } from '#interfaces/web/client/index.ts';
import type { WebPage } from '#interfaces/web/page/page.ts';
import { accountPages } from '#interfaces/web/settings/index.ts';
import { axeFindings } from '../pages/axe.ts';
import { CHROMIUM, openBrowser } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { startTown, type Town } from '../support/people.ts';
import { exampleOf } from './page-examples.ts';
import { ARABIC, fillSite, NEWS, type WholeSite } from './whole-site.ts';

const PAGES: readonly WebPage[] = [...accountPages, ...clientPages];

/** Addresses that show no page, by the reason. */
const NO_PAGE: Readonly<Record<string, readonly string[]>> = {
  'need a mailed link': ['/auth/confirmation', '/auth/password/edit', '/auth/email'],
  'belong to a sign-in or sign-up under way': ['/auth/second_step', '/auth/setup'],
  'lead to other pages': ['/', '/followers', '/following', '/authorize_interaction'],
  'are files': ['/settings/export/archive', '/settings/export/:file', '/settings/import/:id/failures.csv'],
};
const WITHOUT_PAGE = new Set(Object.values(NO_PAGE).flat());
/** The buttons of the web client, and parts of pages for its script. */
const FOR_BUTTONS_AND_SCRIPT = '/web/';

/** These show signed-in users another page. */
const FOR_STRANGERS = ['/auth/sign_in', '/auth/sign_up', '/auth/password/new', '/interact'];

const QUERIES: Readonly<Record<string, string>> = {
  '/search': '?q=rooks',
  '/explore/links/posts': `?url=${encodeURIComponent(NEWS)}`,
  '/share': '?text=Rooks',
};

const shown = PAGES.map(({ path }) => path).filter(
  (path) => !WITHOUT_PAGE.has(path) && !path.startsWith(FOR_BUTTONS_AND_SCRIPT),
);
const forUsers = [...shown.filter((path) => !FOR_STRANGERS.includes(path)), '/search?q=nothing', '/unknown'];
/** Strangers find this on the profile. */
const ON_PROFILE = '/@:name/featured';
const forStrangers = [
  ...['/', '/unknown'],
  ...PAGES.filter((page) => page.orPublic ?? page.audience === 'everybody')
    .map(({ path }) => path)
    .filter((path) => shown.includes(path) && path !== ON_PROFILE),
];

const LOOKS = [
  { width: 1_280, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
] as const;
const OVERFLOW = 'document.documentElement.scrollWidth - innerWidth';
const HEADINGS = 'document.querySelectorAll("h1").length';

describe('Every page of the web client', function () {
  this.timeout(60_000);
  let town: Town;
  let site: WholeSite;
  let browser: Browser;
  let origin: string;
  let seats: { user: Seat; stranger: Seat };

  before(async function () {
    this.timeout(180_000);
    if (!existsSync(CHROMIUM)) return this.skip();
    const port = String(await freePort());
    town = await startTown({ LOCAL_DOMAIN: `localhost:${port}`, PORT: port });
    ({ origin } = town.app.instance);
    site = await fillSite(town);
    browser = await openBrowser();
    seats = { user: await seat(browser, origin), stranger: await seat(browser, origin) };
    await signIn(seats.user.page, origin);
  });
  after(async () => {
    await browser?.close();
    await town?.close();
  });

  const addressOf = (path: string): string => {
    if (path === '/interact') return `/interact?kind=follow&uri=${encodeURIComponent(`${origin}/@bob`)}`;
    const address = exampleOf(path, site);
    expect(address, `An example of ${path} is missing in page-examples.ts`).to.be.a('string');
    return `${address}${QUERIES[path] ?? ''}`;
  };

  const inspect = async ({ page, remarks }: Seat, path: string): Promise<void> => {
    remarks.length = 0;
    const address = addressOf(path);
    await page.setViewportSize({ width: 640, height: 800 });
    const answer = await page.goto(`${origin}${address}`);
    const isThere = !['/unknown'].includes(path);
    expect(answer?.status(), address).to.equal(isThere ? 200 : 404);
    expect(new URL(page.url()).pathname, 'no redirect').to.equal(new URL(address, origin).pathname);
    expect(await page.evaluate(HEADINGS), `${address}: headings of the first level`).to.equal(1);
    // A window of 1,280 pixels has this width at 200 % zoom.
    expect(await page.evaluate(OVERFLOW), `${address} at 640 pixels`).to.be.at.most(0);
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(OVERFLOW), `${address} at ${width} pixels`).to.be.at.most(0);
      expect(await axeFindings(page), `${address}, ${colorScheme}`).to.deep.equal([]);
    }
    expect(
      remarks.filter((remark) => isThere || !remark.includes('404')),
      address,
    ).to.deep.equal([]);
  };

  for (const path of forUsers) {
    it(`is accessible and fits narrow and zoomed windows: ${path}`, async () => inspect(seats.user, path));
  }

  for (const path of forStrangers) {
    it(`is accessible and fits for strangers: ${path}`, async () => inspect(seats.stranger, path));
  }

  it('holds text of twice the size', async () => {
    const { page } = seats.user;
    await page.setViewportSize({ width: 640, height: 800 });
    for (const path of [
      '/home',
      '/@bob',
      '/publish',
      '/notifications',
      '/settings/profile',
      '/filters/new',
    ]) {
      await page.goto(`${origin}${path}`);
      await page.evaluate('document.documentElement.style.fontSize = "200%"');
      expect(await page.evaluate(OVERFLOW), path).to.be.at.most(0);
    }
  });

  for (const path of ['/home', '/@bob', '/notifications', '/settings', '/settings/profile', '/publish']) {
    it(`is laid out from right to left without horizontal scrolling: ${path}`, async () => {
      const { page } = seats.user;
      await page.goto(`${origin}${path}`);
      await page.evaluate('document.documentElement.dir = "rtl"');
      for (const width of [320, 640, 1_280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate(SIDEWAYS), `${width} pixels`).to.deep.equal([]);
      }
    });
  }

  it('shows Arabic posts and names from right to left, and handles from left to right', async () => {
    const { page } = seats.user;
    await page.goto(`${origin}/home`);
    const directionOf = (text: string, within: string): Promise<string> =>
      page
        .locator(within, { hasText: text })
        .first()
        .evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).direction ?? '');
    expect(await directionOf(ARABIC, 'main .content')).to.equal('rtl');
    expect(await directionOf('بوب', 'main article bdi, main article [dir=auto]')).to.equal('rtl');
    expect(await directionOf('@bob', 'main article .handle')).to.equal('ltr');
  });
});

/** Elements that reach out of the window to either side, or a page that scrolls sideways. */
const SIDEWAYS = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth > clientWidth ? [scrollWidth + ' of ' + clientWidth] : [];
})()`;

interface Seat {
  page: Page;
  /** Errors on the console and requests to other origins. */
  remarks: string[];
}

async function seat(browser: Browser, origin: string): Promise<Seat> {
  const page = await browser.newPage();
  const remarks: string[] = [];
  page.on('pageerror', (error) => remarks.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') remarks.push(message.text());
  });
  page.on('request', (request) => {
    const { protocol } = new URL(request.url());
    const isLocal = ['data:', 'blob:'].includes(protocol) || request.url().startsWith(`${origin}/`);
    if (!isLocal) remarks.push(request.url());
  });
  return { page, remarks };
}

async function signIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/auth/sign_in`);
  await page.fill('[name=login]', 'alice');
  await page.fill('[name=password]', 'correct horse alice');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.includes('sign_in'));
}

import { existsSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { consolePages } from '#interfaces/web/admin/index.ts';
import { type Demo, type DemoRole, startDemo } from '../../scripts/demo/start.ts';
import { axeFindings } from '../pages/axe.ts';
import { CHROMIUM, openBrowser } from '../support/chromium.ts';
import { statementsOfPage } from './support.ts';

/** Pages that no link leads to while the demo is as it is, and why. */
const NOT_LINKED: Readonly<Record<string, string>> = {
  '/admin/checkpoints/:size': 'no checkpoint is signed yet; proofs.browser.spec.ts opens it',
  '/admin/alerts/:id': 'no alert is raised yet; alerts.api.spec.ts opens it',
  '/admin/as-of/:position/drop': 'nothing is built; health.api.spec.ts opens it',
  '/admin/relays/:id/enable': 'a relay is another server; server-pages.api.spec.ts opens it',
  '/admin/relays/:id/disable': 'a relay is another server; server-pages.api.spec.ts opens it',
  '/admin/relays/:id/remove': 'a relay is another server; server-pages.api.spec.ts opens it',
  '/admin/projections/:name/retry': 'no projection is halted; operation.browser.spec.ts opens it',
  '/admin/projections/:name/skip': 'no projection is halted; operation-pages.api.spec.ts opens it',
  '/admin/projections/:name/unskip': 'no event is left out; operation-pages.api.spec.ts opens it',
  '/admin/projections/runs/:id/cancel': 'no build runs; operation.browser.spec.ts opens it',
  '/admin/reactors/retry': 'every event was handled; operation-pages.api.spec.ts opens it',
  '/admin/reactors/:reactor/:event_id': 'every event was handled; operation.browser.spec.ts opens it',
  '/admin/reactors/:reactor/:event_id/retry': 'every event was handled; operation.browser.spec.ts opens it',
  '/admin/federation/:host': 'the demo has no other servers; operation.browser.spec.ts opens it',
  '/admin/federation/:host/retry': 'the demo has no other servers; operation-pages.api.spec.ts opens it',
  '/admin/federation/:host/give-up': 'the demo has no other servers; operation.browser.spec.ts opens it',
  '/admin/search': 'the search box leads to it; log.browser.spec.ts opens it',
  '/admin/sign_ups/decide': 'a form leads to it, from chosen sign-ups',
};

const LINKED =
  'A link of another page leads to it, or NOT_LINKED of this spec says why not (CONTRIBUTING, Adding a page)';

const paths = consolePages
  .map(({ path }) => path)
  .filter((path) => !path.startsWith('/web/') && !(path in NOT_LINKED));

const LOOKS = [
  { width: 1_280, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
] as const;
const OVERFLOW = 'document.documentElement.scrollWidth - innerWidth';
/** Pixels of the smallest text of a chart as it is shown; the picture is scaled to its place. */
const SMALLEST_TEXT = `Math.min(99, ...[...document.querySelectorAll('.chart svg text')].map((text) => {
  const svg = text.ownerSVGElement;
  return parseFloat(getComputedStyle(text).fontSize) * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
}))`;
const HEADINGS = 'document.querySelectorAll("h1").length';
const LINKS = `[...document.querySelectorAll('a[href^="/admin"]')].map((link) => link.getAttribute('href'))`;
/** Beside the statements of the page: the settings for its frame. */
const MOST_STATEMENTS = 6;
/** Proofs read checkpoints and hashes of the tree besides, as many for one event as for several. */
const MOST_OF_PROOFS = 10;
const PROOFS = new Set(['/admin/proofs/:entry', '/admin/audit/:id/case']);
const MOST_PAGES = 400;

const formOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);

describe('Every page of the console', function () {
  this.timeout(60_000);
  let demo: Demo;
  let browser: Browser;
  let page: Page;
  let found: ReadonlyMap<string, string>;

  before(async function () {
    this.timeout(300_000);
    if (!existsSync(CHROMIUM)) return this.skip();
    demo = await startDemo({ port: 0 });
    browser = await openBrowser();
    found = await addressesIn(await seat('operator', { javaScriptEnabled: false }));
    page = await seat('operator');
  });
  after(async () => {
    await browser?.close();
    await demo?.close();
  });

  async function seat(role: DemoRole, options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
    const context = await browser.newContext({ baseURL: demo.address, ...options });
    const opened = await context.newPage();
    await opened.goto('/auth/sign_in');
    await opened.fill('[name=login]', demo.accounts[role].username);
    await opened.fill('[name=password]', demo.accounts[role].password);
    await opened.getByRole('button', { name: 'Sign in', exact: true }).click();
    await opened.waitForURL((url) => !url.pathname.includes('sign_in'));
    return opened;
  }

  for (const path of paths) {
    it(`is linked, accessible, narrow enough, and costs few statements: ${path}`, async () => {
      const address = found.get(path) ?? '';
      expect(address, LINKED).to.match(/^\/admin/);
      const remarks: string[] = [];
      const note = (error: Error): number => remarks.push(String(error));
      page.on('pageerror', note);
      await page.setViewportSize({ width: 1_280, height: 900 });
      const answer = await page.goto(address);
      expect(answer?.status(), address).to.equal(200);
      expect(await page.evaluate(HEADINGS), `${address}: headings of the first level`).to.equal(1);
      for (const { width, colorScheme } of LOOKS) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        expect(await page.evaluate(OVERFLOW), `${address} at ${width} pixels`).to.be.at.most(0);
        expect(await page.evaluate(SMALLEST_TEXT), `${address}: text of charts at ${width}`).to.be.at.least(
          11,
        );
        expect(await axeFindings(page), `${address}, ${colorScheme}`).to.deep.equal([]);
      }
      page.off('pageerror', note);
      expect(remarks).to.deep.equal([]);
      // The counts of the server are kept for half a minute, so one of two requests may read them.
      const open = (): Promise<string[]> => statementsOfPage(demo.app.db, () => page.request.get(address));
      const [once, again] = [await open(), await open()];
      const statements = once.length < again.length ? once : again;
      const most = PROOFS.has(path) ? MOST_OF_PROOFS : MOST_STATEMENTS;
      expect(statements.length, `${address}: ${statements.join(' ')}`).to.be.at.most(most);
    });
  }

  it('is closed to users without a role', async () => {
    const person = await seat('person');
    for (const path of paths) {
      const answer = await person.request.get(found.get(path) ?? '/admin', { maxRedirects: 0 });
      expect(answer.status(), path).to.equal(404);
    }
  });
});

/** Follows the links of the console. @returns an address of each page, by its path */
async function addressesIn(page: Page): Promise<ReadonlyMap<string, string>> {
  const forms = paths.map((path) => [path, formOf(path)] as const);
  const examples = new Map<string, string>();
  const waiting = ['/admin'];
  const seen = new Set(waiting);
  for (let visited = 0; waiting.length > 0 && visited < MOST_PAGES; visited += 1) {
    const address = waiting.shift() ?? '';
    const answer = await page.goto(address);
    expect(answer?.status(), address).to.equal(200);
    for (const href of await page.evaluate<string[]>(LINKS)) {
      const [plain = ''] = href.split(/[?#]/);
      const path =
        forms.find(([literal]) => literal === plain)?.[0] ?? forms.find(([, form]) => form.test(plain))?.[0];
      // One example of each page is enough to find the others.
      if (path === undefined || examples.has(path) || seen.has(plain)) continue;
      examples.set(path, plain);
      seen.add(plain);
      waiting.push(plain);
    }
  }
  return new Map([['/admin', '/admin'], ...examples]);
}

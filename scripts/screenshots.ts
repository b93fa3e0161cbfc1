// Takes the pictures of README and docs from the demo: docs/pictures/*.webp, docs/console/*.webp.
//
//   npm run screenshots
//   npm run screenshots -- --all FOLDER     every page, at 390 and 1280 pixels, light and dark, as PNG
//
// Needs Chromium (TEST_CHROMIUM, or /usr/bin/chromium).
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { type Demo, type DemoAccount, startDemo } from './demo/start.ts';
import { chromiumPath } from './lib/chromium.ts';
import { CONSOLE_PICTURES } from './lib/console-pictures.ts';

const DOCS = join(import.meta.dirname, '..', 'docs');

interface Look {
  width: number;
  height: number;
  colorScheme: 'light' | 'dark';
}
const DESKTOP: Look = { width: 1280, height: 860, colorScheme: 'light' };
const PHONE: Look = { width: 390, height: 844, colorScheme: 'dark' };

/** The pages of signed-in users; `:name` is the user, the other words are of `FOUND`. */
const SIGNED_IN = [
  '/home',
  '/notifications',
  '/explore',
  '/explore/tags',
  '/explore/suggestions',
  '/public/local',
  '/publish',
  '/@:name',
  '/conversations',
  '/favourites',
  '/bookmarks',
  '/lists',
  '/followed_tags',
  '/follow_requests',
  '/scheduled',
  '/filters',
  '/search?q=bird',
  '/settings',
  '/settings/profile',
  '/settings/preferences',
  '/settings/security',
  '/settings/applications',
  '/settings/import',
  '/settings/export',
  '/settings/migration',
  '/settings/aliases',
  '/settings/strikes',
  '/settings/delete',
  '/@:name/followers',
  ':thread',
  ':thread/actions',
  ':other',
  ':other/mute',
  ':other/block',
  ':other/report',
  ':list',
  ':list/edit',
  '/notifications/requests',
  '/notifications/policy',
  '/announcements',
  '/directory',
  '/filters/new',
  '/blocks',
  '/mutes',
  '/domain_blocks',
  '/explore/links',
  '/start',
  '/start/people',
  '/start/post',
  '/nothing',
];
/** Where a signed-in user finds the first page of a kind, and the shape of its address. */
const FOUND: Record<string, readonly [page: string, shape: RegExp]> = {
  ':thread': ['/home', /^\/@[^/]+\/\d+$/],
  ':other': ['/@:name/following', /^\/@[^/]+$/],
  ':list': ['/lists', /^\/lists\/\d+$/],
};
const OPEN = [
  '/',
  '/about',
  '/explore',
  '/public/local',
  '/@:name',
  '/@:name/followers',
  '/interact?kind=follow&uri=:address/@:name',
  '/directory',
  '/auth/sign_in',
  '/auth/sign_up',
  '/nothing',
];

const { values } = parseArgs({ options: { all: { type: 'string' } } });
const demo = await startDemo({ halted: values.all === undefined, onStep: (step) => console.log(step) });
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
try {
  await (values.all === undefined ? picturesOfDocs(browser, demo) : everyPage(browser, demo, values.all));
} finally {
  await browser.close();
  await demo.close();
}

async function picturesOfDocs(chrome: Browser, demo: Demo): Promise<void> {
  const { person } = demo.accounts;
  const take = async (file: string, path: string, look: Look, user?: DemoAccount): Promise<void> => {
    const page = await openedBy(chrome, demo, look, user);
    await page.goto(`${demo.address}${path}`);
    await keep(page, join(DOCS, 'pictures', `${file}.webp`));
  };
  await take('home', '/home', DESKTOP, person);
  await take('home-phone', '/home', PHONE, person);
  await take('front', '/', DESKTOP);
  await take('profile', `/@${person.username}`, DESKTOP);
  for (const { name, role, path, link, then } of CONSOLE_PICTURES) {
    const page = await openedBy(chrome, demo, DESKTOP, demo.accounts[role]);
    await page.goto(`${demo.address}${path}`);
    if (link) await page.goto(`${demo.address}${await firstLink(page, link, path)}`);
    if (then !== undefined) {
      const href = await page.getByRole('link', { name: then }).getAttribute('href');
      await page.goto(`${demo.address}${href}`);
    }
    await keep(page, join(DOCS, 'console', `${name}.webp`));
  }
}

async function openedBy(
  chrome: Browser,
  { address }: Demo,
  look: Look,
  user: DemoAccount | undefined,
): Promise<Page> {
  return (await contextFor(chrome, address, look, user)).newPage();
}

/** Stores a picture of the page, and closes its browser. Live pages never stop loading. */
async function keep(page: Page, file: string): Promise<void> {
  await page.waitForLoadState('load');
  await page.evaluate('document.fonts.ready');
  await mkdir(dirname(file), { recursive: true });
  await sharp(await page.screenshot())
    .webp({ quality: 82 })
    .toFile(file);
  await page.context().close();
}

async function everyPage(chrome: Browser, { address, accounts }: Demo, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const looks = [DESKTOP, PHONE].flatMap((look) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ ...look, colorScheme })),
  );
  for (const look of looks) {
    for (const user of [accounts.person, undefined]) {
      const context = await contextFor(chrome, address, look, user);
      const page = await context.newPage();
      const words = new Map([
        [':name', accounts.person.username],
        [':address', address],
      ]);
      const full = (path: string): string =>
        [...words].reduce((text, [word, value]) => text.replaceAll(word, value), path);
      for (const [word, [where, shape]] of user ? Object.entries(FOUND) : []) {
        await page.goto(`${address}${full(where)}`);
        words.set(word, await firstLink(page, shape, full('/@:name')));
      }
      for (const path of user ? SIGNED_IN : OPEN) {
        await page.goto(`${address}${full(path)}`);
        const name = path.replaceAll(/[^\w]+/g, '-').replace(/^-/, '') || 'front';
        const file = `${user ? 'in' : 'out'}-${name}-${look.width}-${look.colorScheme}.png`;
        await page.screenshot({ path: join(folder, file), fullPage: look.width < 1_000 });
      }
      await context.close();
    }
  }
}

/** The path of the first link of a shape in the content of a page, other than `self`. */
async function firstLink(page: Page, shape: RegExp, self: string): Promise<string> {
  const links = await page.locator('main a').all();
  const paths = await Promise.all(links.map((link) => link.getAttribute('href')));
  const found = paths.find((path) => path !== null && path !== self && shape.test(path));
  if (found === undefined || found === null) throw new Error(`No link like ${shape} at ${page.url()}`);
  return found;
}

/** Opens a browser of its own, and signs a user in. */
async function contextFor(
  chrome: Browser,
  address: string,
  { width, height, colorScheme }: Look,
  user: DemoAccount | undefined,
): Promise<BrowserContext> {
  const context = await chrome.newContext({ viewport: { width, height }, colorScheme });
  if (!user) return context;
  const page = await context.newPage();
  await page.goto(`${address}/auth/sign_in`);
  await page.getByLabel('E-mail address or username').fill(user.username);
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/auth/sign_in');
  await page.close();
  return context;
}

import { existsSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { AdminCustomEmoji, AdminDomainBlock } from '#mastodon/schemas/index.ts';
import { openBrowserSite } from '../account-pages/real-browser.ts';
import { axeFindings } from '../pages/axe.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { still } from '../support/pictures.ts';
import type { TestServer, TestUser } from '../support/server.ts';

const LOOKS = [
  { what: 'with scripts, in the light', javaScriptEnabled: true, colorScheme: 'light', width: 1_280 },
  { what: 'without scripts, in the dark', javaScriptEnabled: false, colorScheme: 'dark', width: 390 },
] as const;

describe('The pages of the server in a browser', function () {
  this.timeout(60_000);
  let server: TestServer;
  let browser: Browser | undefined;
  let owner: TestUser;
  let origin: string;

  before(async function () {
    this.timeout(120_000);
    if (!existsSync(CHROMIUM)) return this.skip();
    ({ server, browser, origin } = await openBrowserSite());
    owner = await server.user('boss', { role: 'Owner', scopes: ['read', 'admin:read'] });
  });
  after(async () => {
    await browser?.close();
    if (browser) await server.close();
  });

  const get = async <Json>(path: string): Promise<Json> =>
    (await server.call('GET', `/api/v1/admin/${path}`, { token: owner.token })).body as Json;

  for (const { what, javaScriptEnabled, colorScheme, width } of LOOKS) {
    /** Checks a page; axe is a script, so the walk without scripts does without it. */
    const clean = async (page: Page, name: string): Promise<void> => {
      if (javaScriptEnabled) expect(await axeFindings(page), name).to.deep.equal([]);
    };

    it(`lets staff block a domain and upload an emoji, ${what}`, async () => {
      const context = await (browser as Browser).newContext({
        baseURL: origin,
        javaScriptEnabled,
        colorScheme,
        viewport: { width, height: 900 },
      });
      const page = await context.newPage();
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
      const domain = javaScriptEnabled ? 'loud.example' : 'quiet.example';
      const shortcode = javaScriptEnabled ? 'heron' : 'rook';
      await page.goto('/auth/sign_in');
      await page.fill('#login', 'boss');
      await page.fill('#password', 'correct horse boss');
      await press('Sign in');

      await page.goto('/admin/domain_blocks');
      await page.getByRole('link', { name: 'Block a domain', exact: true }).click();
      await clean(page, 'the form');
      await page.getByLabel('Domain', { exact: true }).fill(domain);
      await page.getByLabel('Suspend', { exact: true }).check();
      await page.getByLabel('Private comment (optional)').fill('Asked twice');
      await press('Continue');
      await page.getByRole('heading', { name: `Block: ${domain}?`, level: 1 }).waitFor();
      await clean(page, 'the question');
      const blocked = async (): Promise<string[]> =>
        (await get<AdminDomainBlock[]>('domain_blocks')).map(({ domain: name }) => name);
      expect(await blocked()).not.to.include(domain);
      await press('Block');
      await page.getByText('The block is in force.').waitFor();
      await clean(page, 'the list');
      expect(await blocked()).to.include(domain);

      await page.goto('/admin/custom_emojis/new');
      await page.getByLabel('Shortcode', { exact: true }).fill(shortcode);
      const text = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
      await page.getByLabel('Picture', { exact: true }).setInputFiles(text);
      await press('Upload');
      await page.getByRole('alert').waitFor();
      await clean(page, 'the refusal');
      expect(await page.getByLabel('Shortcode', { exact: true }).inputValue()).to.equal(shortcode);
      const picture = { name: 'heron.png', mimeType: 'image/png', buffer: await still('red') };
      await page.getByLabel('Picture', { exact: true }).setInputFiles(picture);
      await press('Upload');
      await page.getByText('The emoji is saved.').waitFor();
      await clean(page, 'the emojis');
      const emojis = await get<AdminCustomEmoji[]>('custom_emojis');
      expect(emojis.map((emoji) => emoji.shortcode)).to.include(shortcode);
      await context.close();
    });
  }

  it('has no findings in the dark either', async () => {
    const context = await (browser as Browser).newContext({ baseURL: origin, colorScheme: 'dark' });
    const page = await context.newPage();
    await page.goto('/auth/sign_in');
    await page.fill('#login', 'boss');
    await page.fill('#password', 'correct horse boss');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    for (const path of ['domain_blocks', 'domain_blocks/new', 'domain_blocks/import', 'custom_emojis']) {
      await page.goto(`/admin/${path}`);
      expect(await axeFindings(page), path).to.deep.equal([]);
    }
    await context.close();
  });
});

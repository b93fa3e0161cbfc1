import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openBrowser } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { type Person, startTown, type Town } from '../support/people.ts';
import { picture, uploadForm } from '../support/uploads.ts';
import { giveCard, post, reblog } from '../timelines/support.ts';
import { problemsOf } from './accessibility.ts';

/** The folder for screenshots. None are taken when it is not set. */
const PICTURES = process.env['TEST_SCREENSHOTS'];

describe('The pages in a browser', function () {
  this.timeout(60_000);
  let town: Town;
  let browser: Browser;
  let alice: Person;
  const paths: Record<string, string> = {};

  before(async function () {
    this.timeout(120_000);
    if (!existsSync(CHROMIUM)) return this.skip();
    // Links on pages use the configured origin, so the server must listen there.
    const port = String(await freePort());
    town = await startTown({ LOCAL_DOMAIN: `localhost:${port}`, PORT: port });
    browser = await openBrowser();
    alice = await town.person('alice');
    await fill();
  });
  after(async () => {
    await browser?.close();
    await town?.close();
  });

  /** One page of each kind. */
  async function fill(): Promise<void> {
    const bob = await town.person('bob', {
      display_name: 'Bob with a name that is quite long for a narrow phone',
    });
    const form = new FormData();
    form.set('display_name', 'Alice');
    form.set(
      'note',
      'Rooks, crows and https://example.org/a-very-long-path-that-does-not-fit-on-any-phone-at-all',
    );
    form.set('fields_attributes[0][name]', 'Website');
    form.set('fields_attributes[0][value]', 'https://alice.example.org');
    form.set(
      'avatar',
      new Blob([new Uint8Array(await picture(400, 400, 'png'))], { type: 'image/png' }),
      'a.png',
    );
    form.set(
      'header',
      new Blob([new Uint8Array(await picture(1500, 500, 'png'))], { type: 'image/png' }),
      'h.png',
    );
    expect((await alice.patch('/api/v1/accounts/update_credentials', form)).status).to.equal(200);
    const upload = async (description: string): Promise<string> => {
      const sent = uploadForm(await picture(800, 600), { description });
      return (await alice.post<{ id: string }>('/api/v2/media', sent)).json.id;
    };
    const root = await post(bob, 'Which bird? #rooks', {
      poll: { options: ['A rook', 'A crow'], expires_in: 3600 },
    });
    const main = await post(alice, 'It is this one #rooks', {
      in_reply_to_id: root,
      media_ids: [await upload('A rook')],
    });
    await post(bob, 'I see', { in_reply_to_id: main, language: 'en' });
    const warned = await post(alice, 'The butler did it', { spoiler_text: 'The end of a film' });
    await post(alice, 'Look', { sensitive: true, media_ids: [await upload('A wound')] });
    const card = await post(alice, 'Read https://news.example/rooks');
    await giveCard(town, card, 'https://news.example/rooks');
    await post(alice, 'He is right', { quoted_status_id: root });
    await reblog(alice, root);
    await alice.post(`/api/v1/statuses/${warned}/pin`);
    await town.waitUntilIdle();
    Object.assign(paths, {
      front: '/',
      about: '/about',
      profile: '/@alice',
      replies: '/@alice/with_replies',
      post: `/@alice/${main}`,
      hashtag: '/tags/rooks',
      missing: '/@nobody',
    });
  }

  /** Requests from the spec instead of the page, whose Content-Security-Policy forbids a second request. */
  const until = (page: Page, condition: string): Promise<unknown> =>
    eventually(async () => expect(await page.evaluate(condition), condition).to.equal(true));
  /** Returns the effects of a visit, besides the page itself. */
  const visit = async (page: Page): Promise<{ problems: string[]; elsewhere: string[] }> => {
    const problems: string[] = [];
    const elsewhere: string[] = [];
    page.on('console', (message) => {
      // Chromium logs an error when a page answers with 4xx.
      if (message.type() === 'error' && !message.text().includes('404')) problems.push(message.text());
    });
    page.on('requestfailed', (request) => problems.push(`failed: ${request.url()}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(town.app.instance.origin)) elsewhere.push(request.url());
    });
    return { problems, elsewhere };
  };

  for (const { device, width, colorScheme } of [
    { device: 'phone', width: 320, colorScheme: 'dark' },
    { device: 'desktop', width: 1_000, colorScheme: 'light' },
  ] as const) {
    it(`work on a ${device}, ${colorScheme}, without scripts and without third parties`, async () => {
      const context = await browser.newContext({ viewport: { width, height: 740 }, colorScheme });
      for (const [name, path] of Object.entries(paths)) {
        const page = await context.newPage();
        const { problems, elsewhere } = await visit(page);
        // Browsers request an icon by themselves, so it does not count.
        await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
        await page.goto(`${town.app.instance.origin}${path}`);
        // The content of closed elements is checked too.
        for (const summary of await page.locator('summary').all()) await summary.click();
        expect(await problemsOf(page), name).to.deep.equal([]);
        // Pictures load when they come into view, so this makes all of them load at once.
        await page.evaluate('for (const each of document.images) each.loading = "eager"');
        await until(page, '[...document.images].every(({ complete }) => complete)');
        const broken = await page.evaluate(
          '[...document.images].filter((each) => !each.complete || each.naturalWidth === 0).map(({ src }) => src)',
        );
        expect(broken, name).to.deep.equal([]);
        expect(await page.evaluate('document.scripts.length'), name).to.equal(0);
        if (PICTURES !== undefined) {
          await mkdir(PICTURES, { recursive: true });
          await page.screenshot({ path: join(PICTURES, `${device}-${name}.png`), fullPage: true });
        }
        expect({ problems, elsewhere }, name).to.deep.equal({ problems: [], elsewhere: [] });
        await page.close();
      }
      await context.close();
    });
  }

  it('are navigable by links and by the keyboard alone', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${town.app.instance.origin}/@alice`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Skip to content');
    await page.keyboard.press('Enter');
    await until(page, 'document.activeElement.id === "content"');

    const text = page.getByText('The butler did it').first();
    expect(await text.isVisible()).to.equal(false);
    await page.locator('summary', { hasText: 'The end of a film' }).first().focus();
    await page.keyboard.press('Enter');
    await text.waitFor({ state: 'visible' });

    await page
      .getByRole('navigation', { name: 'Profile' })
      .getByRole('link', { name: 'Posts and replies' })
      .click();
    await page.getByRole('heading', { name: 'Posts and replies' }).waitFor();
    const answer = page.getByRole('article').filter({ hasText: 'It is this one' });
    await answer.locator('.when a').first().click();
    await page.getByRole('heading', { name: 'Post by Alice' }).waitFor();
    expect(await page.getByRole('article').count()).to.equal(3);
    await page.getByRole('link', { name: '#rooks' }).first().click();
    await page.getByRole('heading', { name: '#rooks' }).waitFor();
    await page.waitForLoadState();
    expect(await page.getByRole('article').count()).to.equal(2);
    await page.getByRole('banner').getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Newest posts' }).waitFor();
    await context.close();
  });
});

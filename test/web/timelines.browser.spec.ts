import { existsSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Status } from '#mastodon/schemas/index.ts';
import { axeFindings } from '../pages/axe.ts';
import { CHROMIUM, openBrowser } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { ok, type Person, startTown, type Town } from '../support/people.ts';
import { follow, giveCard, post, reblog, upload } from '../timelines/support.ts';

describe('Reading in the web client, in a browser', function () {
  this.timeout(240_000);
  let town: Town;
  let browser: Browser;
  let alice: Person;
  let bob: Person;
  let root: string;
  let asked: string;

  before(async function () {
    if (!existsSync(CHROMIUM)) return this.skip();
    const port = String(await freePort());
    town = await startTown({ LOCAL_DOMAIN: `localhost:${port}`, PORT: port });
    browser = await openBrowser();
    alice = await town.person('alice', { display_name: 'Alice' });
    bob = await town.person('bob', {
      display_name: 'Bob with a name that is quite long for a narrow phone, much longer than others',
    });
    await follow(alice, bob);
    root = await post(bob, 'A post about #rooks');
    let parent = root;
    for (const n of [1, 2, 3, 4, 5, 6]) {
      parent = await post(n % 2 ? alice : bob, `reply ${n}`, { in_reply_to_id: parent });
    }
    await post(bob, 'أهلا وسهلا بكم في هذا المكان', { language: 'ar', in_reply_to_id: root });
    await post(bob, 'Pictures', { media_ids: [await upload(bob), await upload(bob), await upload(bob)] });
    await post(bob, 'The end', { spoiler_text: 'A film', sensitive: true, media_ids: [await upload(bob)] });
    await giveCard(town, await post(bob, 'Read'), 'https://news.example/a');
    await post(
      bob,
      'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2),
    );
    await post(bob, 'Quoting', { quoted_status_id: root });
    await reblog(alice, root);
    await ok(bob.post(`/api/v1/statuses/${root}/favourite`));
    await town.waitUntilIdle();
  });
  after(async () => {
    await browser?.close();
    await town?.close();
  });

  const at = (path: string): string => `${town.app.instance.origin}${path}`;

  async function signIn(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    await page.goto(at('/auth/sign_in'));
    await page.fill('[name=login]', 'alice');
    await page.fill('[name=password]', 'correct horse alice');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL((url) => !url.pathname.includes('sign_in'));
    return page;
  }

  /** Presses the tabulator until an element has the focus. */
  async function tabTo(page: Page, selector: string): Promise<void> {
    const isThere = `document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`;
    for (let times = 0; times < 200; times += 1) {
      if (await page.evaluate(isThere)) return;
      await page.keyboard.press('Tab');
    }
    expect.fail(`The keyboard does not reach ${selector}`);
  }

  /** Activates an element by the keyboard, and waits for the page that it leads to. */
  async function enter(page: Page, selector: string): Promise<void> {
    await tabTo(page, selector);
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    await town.waitUntilIdle();
  }

  const show = (id: string): Promise<Status> => ok(alice.get<Status>(`/api/v1/statuses/${id}`));

  for (const width of [320, 1_280]) {
    it(`works without scripts by the keyboard alone, ${width} pixels wide`, async () => {
      const context = await browser.newContext({
        javaScriptEnabled: false,
        viewport: { width, height: 800 },
      });
      const page = await signIn(context);
      asked = await post(bob, `Which bird? ${width}`, {
        poll: { options: ['Rook', 'Crow'], expires_in: 3_600 },
      });
      await town.waitUntilIdle();
      await page.goto(at('/home'));
      for (const act of ['reblog', 'favourite', 'bookmark']) {
        await enter(page, `[formaction="/web/v1/statuses/${asked}/${act}"]`);
        expect(new URL(page.url()).hash, act).to.equal(`#s${asked}`);
      }
      expect(await show(asked)).to.include({ reblogged: true, favourited: true, bookmarked: true });

      await tabTo(page, `#s${asked} input[type=radio]`);
      await page.keyboard.press('Space');
      await enter(page, `#s${asked} .poll button`);
      expect((await show(asked)).poll?.own_votes).to.deep.equal([0]);

      await page.goto(at('/search'));
      await tabTo(page, 'main input[name=q]');
      await page.keyboard.type('#rooks');
      await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
      expect(new URL(page.url()).search).to.equal('?q=%23rooks');
      await enter(page, 'main a[href="/tags/rooks"]');
      await enter(page, `#s${root} .when a`);
      expect(new URL(page.url()).pathname).to.equal(`/@bob/${root}`);
      await enter(page, 'main a[data-menu]');
      expect(await page.locator('h1').textContent()).to.equal('More about this post');
      await context.close();
    });
  }

  for (const [width, colorScheme] of [
    [320, 'dark'],
    [1_280, 'light'],
  ] as const) {
    it(`is accessible and fits, ${width} pixels wide, ${colorScheme}`, async () => {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
      const page = await signIn(context);
      const paths = [
        ...['/home', `/@bob/${root}`, `/@bob/${asked}?results=1`, `/@bob/${root}/actions`],
        ...['favourites', 'reblogs', 'quotes'].map((list) => `/@bob/${root}/${list}`),
        ...['/public', '/public/local', '/public/remote', '/tags/rooks', '/favourites', '/bookmarks'],
        ...['/explore', '/explore/tags', '/explore/suggestions', '/explore/links'],
        ...[
          '/search',
          '/search?q=rooks',
          '/search?q=bob&type=accounts',
          '/search?q=nothing',
          '/search?q=x:y',
        ],
        '/@bob/1',
      ];
      for (const path of paths) {
        await page.goto(at(path));
        for (const summary of await page.locator('main summary').all()) await summary.click();
        expect(await axeFindings(page), path).to.deep.equal([]);
        const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect(over, `${path} is too wide`).to.be.at.most(0);
      }
      await context.close();
    });
  }
});

import { existsSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser, Locator, Page } from 'playwright-core';
import { openBrowserSite, remarksOf } from '../account-pages/real-browser.ts';
import { axeFindings } from '../pages/axe.ts';
import { CHROMIUM } from '../support/chromium.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { callAs } from './notices-support.ts';

const DEVICES = [
  { device: 'phone', width: 320, colorScheme: 'dark' },
  { device: 'desktop', width: 1_280, colorScheme: 'light' },
] as const;
/** More than the controls of any of these pages. */
const MOST_TABS = 150;

describe('Notifications, lists and filters in a browser', function () {
  this.timeout(180_000);
  let server: TestServer;
  let browser: Browser;
  let origin: string;

  before(async function () {
    if (!existsSync(CHROMIUM)) return this.skip();
    ({ server, browser, origin } = await openBrowserSite());
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const { device, width, colorScheme } of DEVICES) {
    it(`work with the keyboard alone and without scripts on a ${device} (${colorScheme})`, async () => {
      const { alice, bob } = await friends(server, device);
      const context = await browser.newContext({ viewport: { width, height: 740 }, colorScheme });
      const page = await context.newPage();
      const remarks = await remarksOf(page, origin);
      // No script runs, but axe can.
      await page.route('**/assets/*.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: '' }),
      );
      const keys = keyboardOn(page);
      await signIn(page, origin, alice.username);

      await filterWord(page, origin, keys, bob.username);
      await fillList(page, origin, keys, bob.username);
      await answerMention(page, origin, keys);
      await readNotifications(page, origin, keys);

      expect(remarks).to.deep.equal([]);
      await context.close();
    });
  }
});

/** Two users who follow each other. The second one has posted in public and in private. */
async function friends(server: TestServer, device: string): Promise<{ alice: TestUser; bob: TestUser }> {
  const [alice, bob] = await Promise.all([server.user(`alice_${device}`), server.user(`bob_${device}`)]);
  await callAs(server, alice)('POST', `v1/accounts/${bob.id}/follow`);
  const asBob = callAs(server, bob);
  await asBob('POST', `v1/accounts/${alice.id}/follow`);
  await asBob('POST', 'v1/statuses', { status: 'What a goal in the last minute' });
  await asBob('POST', 'v1/statuses', { status: 'Rooks nest early this year' });
  await asBob('POST', 'v1/statuses', { status: `@${alice.username} on Sunday?`, visibility: 'direct' });
  await server.waitUntilIdle();
  return { alice, bob };
}

async function signIn(page: Page, origin: string, login: string): Promise<void> {
  await page.goto(`${origin}/auth/sign_in`);
  await page.getByLabel('E-mail address or username').fill(login);
  await page.getByLabel('Password').fill(`correct horse ${login}`);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
}

type Keys = ReturnType<typeof keyboardOn>;

/** Acts of a user without a mouse. */
function keyboardOn(page: Page) {
  const reach = async (target: Locator): Promise<void> => {
    // Looking for the target by its role takes longer than a key.
    const found = await target.elementHandle();
    for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
      if (await found?.evaluate((element) => element === element.ownerDocument.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    expect.fail(`Not reached by the keyboard: ${String(target)}`);
  };
  return {
    reach,
    type: async (label: string, text: string): Promise<void> => {
      await reach(page.getByLabel(label, { exact: true }));
      await page.keyboard.type(text);
    },
    press: async (target: Locator): Promise<void> => {
      await reach(target);
      await page.keyboard.press('Enter');
    },
    /** Waits for a page, and checks that it is accessible and fits. */
    at: async (heading: string | RegExp): Promise<void> => {
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      expect(await axeFindings(page), String(heading)).to.deep.equal([]);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, `${String(heading)} is too wide`).to.be.at.most(0);
    },
  };
}

/** Hides posts with a word, and sees that in the home timeline. */
async function filterWord(page: Page, origin: string, keys: Keys, author: string): Promise<void> {
  await page.goto(`${origin}/home`);
  await page.getByText('What a goal in the last minute').waitFor();
  await page.goto(`${origin}/filters`);
  await keys.at('Filters');
  await keys.press(page.getByRole('link', { name: 'Add filter' }));
  await keys.at('New filter');
  await keys.type('Title', 'Football');
  await keys.type('Word or phrase 1', 'goal');
  await keys.press(page.getByRole('button', { name: 'Add keywords' }));
  await keys.at('New filter');
  await keys.type('Word or phrase 4', 'offside');
  // The first button of the form saves.
  await page.keyboard.press('Enter');
  await page.getByText('The filter is saved.').waitFor();
  await keys.at('Filters');
  await page.goto(`${origin}/home`);
  await page.getByText('Rooks nest early this year').waitFor();
  const hidden = page.getByText('What a goal in the last minute');
  expect(await hidden.isVisible()).to.equal(false);
  await keys.press(page.locator('article', { has: hidden }).locator('summary').first());
  await hidden.waitFor();
  expect(await page.getByRole('link', { name: author }).count()).to.be.greaterThan(0);
}

/** Makes a list, and puts a followed account in. */
async function fillList(page: Page, origin: string, keys: Keys, member: string): Promise<void> {
  await page.goto(`${origin}/lists`);
  await keys.at('Lists');
  await keys.type('List name', 'Birders');
  await page.keyboard.press('Enter');
  await keys.at('Edit list');
  await keys.type('Search among people you follow', member);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'People you follow' }).waitFor();
  await keys.at('Edit list');
  await keys.press(page.getByRole('button', { name: `Add ${member}` }));
  await keys.press(page.getByRole('button', { name: `Remove ${member}` }).and(page.locator('.plain')));
  await page.getByRole('button', { name: `Add ${member}` }).waitFor();
  await keys.press(page.getByRole('button', { name: `Add ${member}` }));
  await page.getByRole('button', { name: `Remove ${member}` }).waitFor();
  await keys.press(page.getByRole('link', { name: 'Show the posts of this list' }));
  await keys.at('Birders');
  await page.getByText('Rooks nest early this year').waitFor();
}

/** Reads a private mention, and answers it. */
async function answerMention(page: Page, origin: string, keys: Keys): Promise<void> {
  await page.goto(`${origin}/conversations`);
  await keys.at('Private mentions');
  const conversation = page.locator('article.conversation');
  await conversation.getByText('on Sunday?').waitFor();
  await keys.press(conversation.getByRole('button', { name: 'Mark as read' }));
  await page.locator('article.conversation:not(.unread)').waitFor();
  await keys.press(conversation.getByRole('link', { name: 'Reply' }));
  const text = page.locator('textarea[name="status"]');
  await text.waitFor();
  await keys.reach(text);
  // Behind the handle of the answered user, before which Tab leaves the cursor.
  await page.keyboard.press('Control+End');
  await page.keyboard.type('with pleasure');
  await keys.press(
    page.locator('form:has(textarea[name="status"])').getByRole('button', { name: /^(Post|Reply)$/ }),
  );
  await page.waitForURL((url) => url.pathname !== '/publish');
  await page.goto(`${origin}/conversations`);
  await conversation.getByText('with pleasure').waitFor();
}

/** Reads notifications, of one kind too, and clears them. */
async function readNotifications(page: Page, origin: string, keys: Keys): Promise<void> {
  await page.goto(`${origin}/notifications`);
  await keys.at('Notifications');
  await keys.press(page.getByRole('button', { name: 'Mark as read' }));
  await page.locator('article.notice:not(.unread)').first().waitFor();
  await keys.press(page.locator('summary[aria-label="Filter by kind"]'));
  await keys.press(page.getByRole('link', { name: 'New followers' }));
  await page.getByText('followed you').waitFor();
  await keys.at('Notifications');
  await keys.press(page.locator('summary[aria-label="More"]'));
  await keys.press(page.getByRole('link', { name: 'Clear notifications' }));
  await keys.at('Clear notifications');
  await keys.press(page.getByRole('button', { name: 'Clear all notifications' }));
  await page.getByText('Your notifications are cleared.').waitFor();
  await keys.at('Notifications');
}

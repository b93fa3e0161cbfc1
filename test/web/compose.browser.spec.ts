import { existsSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { openBrowserSite } from '../account-pages/real-browser.ts';
import { problemsOf } from '../pages/accessibility.ts';
import { axeFindings } from '../pages/axe.ts';
import { CHROMIUM } from '../support/chromium.ts';
import type { Answer, TestServer, TestUser } from '../support/server.ts';
import { picture } from '../support/uploads.ts';

// Replies are checked against their schema.
type Json = Answer['body'];

describe('Writing posts in a browser without scripts', function () {
  this.timeout(120_000);
  let server: TestServer;
  let browser: Browser;
  let origin: string;
  let alice: TestUser;
  let bob: TestUser;

  before(async function () {
    if (!existsSync(CHROMIUM)) return this.skip();
    ({ server, browser, origin } = await openBrowserSite());
    [alice, bob] = await Promise.all([server.user('alice'), server.user('bob')]);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const api = async (method: string, path: string, body?: object, user = alice): Promise<Json> => {
    const answer = await server.call(method, `/api/v1/${path}`, {
      token: user.token,
      ...(body ? { body } : {}),
    });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    await server.waitUntilIdle();
    return answer.body;
  };
  const newest = async (): Promise<Json> => {
    await server.waitUntilIdle();
    return (await api('GET', `accounts/${alice.id}/statuses`))[0];
  };

  /** Short names for what a user does; a copy of each page, in which axe can run, is checked. */
  function hands(page: Page, copy: Page) {
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    return {
      press,
      fill: (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text),
      async at(heading: string): Promise<void> {
        await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
        await copy.route('**/copy', async (route) =>
          route.fulfill({ contentType: 'text/html', body: await page.content() }),
        );
        await copy.goto(`${origin}/copy`);
        expect(await problemsOf(copy), heading).to.deep.equal([]);
        for (const colorScheme of ['light', 'dark'] as const) {
          await copy.emulateMedia({ colorScheme });
          expect(await axeFindings(copy), `${heading}, ${colorScheme}`).to.deep.equal([]);
        }
        await copy.unroute('**/copy');
      },
      said: (text: string) => page.getByRole('status').getByText(text).first().waitFor(),
    };
  }

  it('posts a picture and a poll, replies, edits, deletes and redrafts', async () => {
    const viewport = { width: 320, height: 700 };
    const context = await browser.newContext({ viewport, javaScriptEnabled: false });
    const checking = await browser.newContext({ viewport });
    const page = await context.newPage();
    const { press, fill, at, said } = hands(page, await checking.newPage());
    const go = (path: string) => page.goto(`${origin}${path}`);
    await go('/auth/sign_in');
    await page.locator('[name=login]').fill('alice');
    await page.locator('[name=password]').fill('correct horse alice');
    await press('Sign in');
    await page.waitForURL((url) => !url.pathname.includes('sign_in'));

    // A picture, from the composer of the home page.
    await go('/home');
    await fill('New post', 'Rooks in the evening');
    await press('More options');
    await at('New post');
    const file = { name: 'rooks.png', mimeType: 'image/png', buffer: await picture(300, 200, 'png') };
    await page.getByLabel('Pictures, video or audio').setInputFiles(file);
    await press('Add media');
    await fill('Description of file 1', 'A flock over a mill');
    await page.getByText('Edit focal point').click();
    await page.getByLabel('Top right').check();
    await at('New post');
    await page.getByText('Content warning', { exact: true }).click();
    await fill('Text and media are hidden behind this warning', 'Birds');
    await press('Post');
    await page.waitForURL(/\/home\?done=posted$/);
    await said('Your post is published.');
    const first = await newest();
    expect(first).to.include({ content: '<p>Rooks in the evening</p>', spoiler_text: 'Birds' });
    expect(first.media_attachments[0].description).to.equal('A flock over a mill');
    expect(first.media_attachments[0].meta.focus).to.deep.equal({ x: 0.6, y: 0.6 });

    // A poll, refused first.
    await go('/publish');
    await press('Add poll');
    await press('Add poll option');
    await fill('Text', 'Which one?');
    await fill('Option 1', 'Rooks');
    await press('Post');
    await page.getByRole('alert').getByText('Choices must have more than one item').waitFor();
    await at('New post');
    await fill('Option 3', 'Crows');
    await page.getByLabel('Poll length').selectOption('3 days');
    await press('Post');
    await page.waitForURL(/\/@alice\/\d+\?done=posted$/);
    expect((await newest()).poll.options.map((each: { title: string }) => each.title)).to.deep.equal([
      'Rooks',
      'Crows',
    ]);

    // A reply.
    const parent = await api('POST', 'statuses', { status: '@alice Nice!', visibility: 'private' }, bob);
    await go(`/publish?in_reply_to_id=${parent.id}`);
    await at('New post');
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).to.equal('@bob ');
    await fill('Text', '@bob Thank you');
    await press('Post');
    await page.waitForURL(/done=posted$/);
    const reply = await newest();
    expect(reply).to.include({ in_reply_to_id: parent.id, visibility: 'private' });

    // An edit and its history.
    await go(`/@alice/${reply.id}/edit`);
    await at('Edit post');
    await fill('Text', '@bob Thank you very much');
    await press('Save changes');
    await page.waitForURL(/done=post_edited$/);
    await go(`/@alice/${reply.id}/history`);
    await at('Edit history');
    await page.locator('ins').getByText('very much').waitFor();

    // Delete & redraft, with a reload.
    await go(`/@alice/${first.id}/delete`);
    await at('Delete post?');
    await press('Delete & redraft');
    await at('New post');
    await page.reload();
    await page.getByText('The post is deleted').waitFor();
    expect(await page.getByLabel('Description of file 1').inputValue()).to.equal('A flock over a mill');
    await fill('Text', 'Rooks at night');
    await press('Post');
    await page.waitForURL(/done=posted$/);
    const again = await newest();
    expect(again).to.include({ content: '<p>Rooks at night</p>', spoiler_text: 'Birds' });
    expect(again.media_attachments[0].id).to.equal(first.media_attachments[0].id);

    // A scheduled post.
    await go('/publish');
    await fill('Text', 'Tomorrow');
    await page.getByText('Schedule', { exact: true }).click();
    await fill('Publish at', new Date(Date.now() + 86_400_000).toISOString().slice(0, 16));
    await press('Post');
    await at('Scheduled posts');
    await said('Your post is scheduled.');
    await page.getByRole('link', { name: 'Change time' }).click();
    await at('Change time');
    await go('/scheduled');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await at('Cancel scheduled post?');
    await press('Cancel this post');
    await said('Your scheduled post is cancelled.');
    await Promise.all([context.close(), checking.close()]);
  });
});

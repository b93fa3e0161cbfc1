import { existsSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser, Locator, Page } from 'playwright-core';
import type { Status } from '#mastodon/schemas/index.ts';
import { openBrowserSite } from '../account-pages/real-browser.ts';
import { pathsMailedTo } from '../account-pages/support.ts';
import { CHROMIUM, savedFile } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { picture } from '../support/uploads.ts';

const NAMES = ['ann', 'ben', 'cleo'] as const;

describe('A day in the web client', function () {
  this.timeout(180_000);
  let server: TestServer;
  let browser: Browser;
  let origin: string;
  let people: TestUser[];
  let poll: Status;

  before(async function () {
    if (!existsSync(CHROMIUM)) return this.skip();
    ({ server, browser, origin } = await openBrowserSite());
    people = await Promise.all(NAMES.map((name) => server.user(name)));
    const question = { status: 'Which bird?', poll: { options: ['A rook', 'A crow'], expires_in: 3_600 } };
    poll = await as(people[0], 'POST', 'statuses', question);
    await as(people[1], 'POST', 'statuses', { status: 'Nothing but football today' });
    await as(people[2], 'POST', 'statuses', { status: 'Rooks nest early this year' });
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const as = async <Json>(
    user: TestUser | undefined,
    method: string,
    path: string,
    body?: object,
  ): Promise<Json> => {
    const { token = '' } = user ?? {};
    const answer = await server.call(method, `/api/v1/${path}`, { token, ...(body ? { body } : {}) });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    await server.waitUntilIdle();
    return answer.body as Json;
  };
  const owner = async (name: string): Promise<TestUser> => {
    await server.waitUntilIdle();
    const { body } = await server.call('GET', `/api/v1/accounts/lookup?acct=${name}`);
    const { id } = body as { id: string };
    return { id, username: name, token: await server.tokenFor(id, ['read', 'write']) };
  };

  for (const scripts of [false, true]) {
    it(`walks from the sign-up to the export ${scripts ? 'with scripts' : 'without scripts'}`, async () => {
      const context = await browser.newContext({
        viewport: { width: scripts ? 1_280 : 390, height: 900 },
        javaScriptEnabled: scripts,
      });
      const page = await context.newPage();
      const name = scripts ? 'dora' : 'emil';
      const walk = walkOn(page, origin);

      await signUp(walk, name);
      const me = await owner(name);
      await follow(walk, me);
      const mine = await write(walk, me);
      await react(walk, me, mine);
      await arrange(walk, me);
      await protect(walk, me);
      await leave(walk);
      await context.close();
    });
  }

  async function signUp({ page, go, fill, press, at }: Walk, name: string): Promise<void> {
    const email = `${name}@example.org`;
    await go('/');
    await page.getByRole('link', { name: 'Sign up' }).first().click();
    await at('Sign up');
    await fill('Username', name);
    await fill('E-mail address', email);
    await fill('Password', `correct horse ${name}`);
    await page.getByRole('checkbox').first().check();
    await press('Sign up');
    await at('Check your mail');
    await go((await pathsMailedTo(server, email)).at(-1) ?? '');
    await page.waitForURL(/\/start/);
    await fill('Display name', `${name} of the birds`);
    await page.getByLabel('Picture', { exact: true }).setInputFiles(await pictureFile());
    await press('Save and continue');
    await page.waitForURL(/\/start\/people/);
    await page.getByRole('link', { name: 'Skip', exact: true }).click();
    await page.waitForURL(/\/start\/post/);
    await fill('Your post', 'Hello from the web client');
    await press('Post');
    await page.waitForURL(/\/home/);
    await page.getByText('Hello from the web client').first().waitFor();
  }

  async function follow({ page, go, press }: Walk, me: TestUser): Promise<void> {
    for (const name of NAMES) {
      await go(`/@${name}`);
      await press('Follow');
      await page.getByRole('button', { name: 'Unfollow' }).first().waitFor();
    }
    await eventually(async () => {
      const { following_count } = await as<{ following_count: number }>(me, 'GET', `accounts/${me.id}`);
      expect(following_count).to.equal(3);
    });
  }

  /** Posts a picture and a poll, replies and edits. @returns the post with the picture */
  async function write({ page, go, fill, press }: Walk, me: TestUser): Promise<Status> {
    await go('/publish');
    await fill('Text', 'Rooks in the evening');
    await page.getByLabel('Pictures, video or audio').setInputFiles(await pictureFile());
    await press('Add media');
    await fill('Description of file 1', 'A flock over a mill');
    await press('Post');
    await page.waitForURL(/done=posted/);
    const withPicture = await newest(me);
    expect(withPicture.media_attachments[0]?.description).to.equal('A flock over a mill');

    await go('/publish');
    await press('Add poll');
    await fill('Text', 'Tea or coffee?');
    await fill('Option 1', 'Tea');
    await fill('Option 2', 'Coffee');
    await press('Post');
    await page.waitForURL(/done=posted/);
    expect((await newest(me)).poll?.options).to.have.length(2);

    await go(`/publish?in_reply_to_id=${poll.id}`);
    await fill('Text', '@ann A rook, of course');
    await press('Post');
    await page.waitForURL(/done=posted/);
    const reply = await newest(me);
    expect(reply.in_reply_to_id).to.equal(poll.id);

    await go(`/@${me.username}/${reply.id}/edit`);
    await fill('Text', '@ann A rook, of course!');
    await press('Save changes');
    await page.waitForURL(/done=post_edited/);
    expect((await newest(me)).edited_at).to.be.a('string');
    return withPicture;
  }

  async function react({ page, go, post }: Walk, me: TestUser, mine: Status): Promise<void> {
    await go(`/@ann/${poll.id}`);
    await page.getByLabel('A rook').check();
    await page.getByRole('button', { name: 'Vote' }).click();
    await page.getByText('Your vote').first().waitFor();
    await post('Which bird?')
      .getByRole('button', { name: /^Boost/ })
      .click();
    await eventually(async () => {
      const { reblogged, poll: voted } = await as<Status>(me, 'GET', `statuses/${poll.id}`);
      expect([reblogged, voted?.own_votes]).to.deep.equal([true, [0]]);
    });
    await go(`/@${me.username}/${mine.id}`);
    await post('Rooks in the evening')
      .getByRole('button', { name: /^Favourite/ })
      .click();
    await eventually(async () => {
      expect((await as<Status>(me, 'GET', `statuses/${mine.id}`)).favourited).to.equal(true);
    });
  }

  /** Filters a word, makes a list, and writes a private mention. */
  async function arrange({ page, go, fill, press }: Walk, me: TestUser): Promise<void> {
    await go('/filters/new');
    await fill('Title', 'Football');
    await fill('Word or phrase 1', 'football');
    await page
      .getByRole('button', { name: /^(Save|Create|Add filter)/ })
      .first()
      .click();
    await page.getByText('The filter is saved.').waitFor();
    await go('/home');
    await page.getByText('Rooks nest early this year').first().waitFor();
    expect(await page.getByText('Nothing but football today').first().isVisible()).to.equal(false);

    await go('/lists');
    await fill('List name', 'Birders');
    await press('Create list');
    await page.waitForURL(/\/lists\/\d+/);
    await go('/@cleo/lists');
    await page.getByLabel('Birders').check();
    await press('Save');
    await eventually(async () => {
      const [list] = await as<{ id: string }[]>(me, 'GET', 'lists');
      const members = await as<{ username: string }[]>(me, 'GET', `lists/${list?.id}/accounts`);
      expect(members.map(({ username }) => username)).to.deep.equal(['cleo']);
    });

    await go('/publish?mention=ben&visibility=direct');
    await fill('Text', '@ben on Sunday?');
    await press('Post');
    await page.waitForURL(/done=posted/);
    expect((await newest(me)).visibility).to.equal('direct');
    await go('/conversations');
    await page.getByText('on Sunday?').first().waitFor();
  }

  async function protect({ page, go, press }: Walk, me: TestUser): Promise<void> {
    await go('/@ben/report');
    await page.getByLabel('It is spam').check();
    await press('Report');
    await page.getByRole('heading', { name: 'Thanks for reporting' }).waitFor();
    await go('/@ben/mute');
    await press('Mute');
    await page.getByText('Muted').first().waitFor();
    const ben = people[1]?.id ?? '';
    const [relation] = await as<{ muting: boolean }[]>(me, 'GET', `accounts/relationships?id[]=${ben}`);
    expect(relation?.muting).to.equal(true);

    const last = await newest(me);
    await go(`/@${me.username}/${last.id}/delete`);
    await press('Delete');
    await page.waitForURL(/done=/);
    await eventually(async () => {
      expect((await server.call('GET', `/api/v1/statuses/${last.id}`, { token: me.token })).status).to.equal(
        404,
      );
    });
  }

  async function leave({ page, go }: Walk): Promise<void> {
    await go('/settings/export');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Accounts that you follow' }).click();
    const text = String(await savedFile(await download));
    for (const name of NAMES) expect(text).to.include(`${name}@localhost`);
  }

  const newest = async (me: TestUser): Promise<Status> => {
    const [first] = await as<Status[]>(me, 'GET', `accounts/${me.id}/statuses`);
    if (!first) throw new Error('There is no post');
    return first;
  };
});

type Walk = ReturnType<typeof walkOn>;

/** Short names for what a user does. */
const walkOn = (page: Page, origin: string) => ({
  page,
  go: (path: string) => page.goto(`${origin}${path}`),
  fill: (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text),
  press: (name: string) => page.locator('main').getByRole('button', { name, exact: true }).first().click(),
  at: (heading: string) => page.getByRole('heading', { name: heading, level: 1 }).waitFor(),
  post: (text: string): Locator => page.locator('article', { hasText: text }).first(),
});

const pictureFile = async (): Promise<{ name: string; mimeType: string; buffer: Buffer }> => ({
  name: 'rooks.png',
  mimeType: 'image/png',
  buffer: await picture(300, 200, 'png'),
});

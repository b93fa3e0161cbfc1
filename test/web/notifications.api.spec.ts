import { expect } from 'chai';
import type { Relationship, Status } from '#mastodon/schemas/index.ts';
import { doneOf, follow, headingOf, signedIn } from '../account-pages/support.ts';
import { Browser, locationOf } from '../oauth/client.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { statementsOfRequests } from '../support/statements.ts';
import { callAs, elementsIn, textIn, textsIn } from './notices-support.ts';

describe('The page of notifications', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let others: TestUser[];
  let browser: Browser;
  let mine: Status;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
    others = await Promise.all(['bob', 'carol', 'dora', 'erik'].map((name) => server.user(name)));
    browser = await signedIn(server, 'alice');
    // Private mentions of strangers are filtered.
    await as(alice)('POST', `v1/accounts/${other(1).id}/follow`);
    mine = await as(alice)<Status>('POST', 'v1/statuses', { status: 'Rooks <b>nest</b> early' });
  });
  after(() => server.close());

  const as = (user: TestUser) => callAs(server, user);
  const other = (index: number): TestUser => others[index] ?? alice;
  const open = async (path = '/notifications') => {
    await server.waitUntilIdle();
    return browser.open(path);
  };
  const noticesIn = async (path?: string): Promise<string[]> =>
    textsIn(await open(path), 'article', { class: 'notice' });

  it('is empty at first, and says so', async () => {
    const page = await open();
    expect(page.status).to.equal(200);
    expect(headingOf(page)).to.equal('Notifications');
    expect(textIn(page)).to.contain('You have no notifications yet.');
    expect(elementsIn(page, 'button', { formaction: '/web/v1/markers' })).to.have.length(0);
  });

  it('says who boosted, favourited and followed, in groups with an excerpt', async () => {
    for (const user of others) {
      await as(user)('POST', `v1/statuses/${mine.id}/favourite`);
      await server.waitUntilIdle();
    }
    await as(other(0))('POST', `v1/statuses/${mine.id}/reblog`);
    await server.waitUntilIdle();
    await as(other(1))('POST', `v1/statuses/${mine.id}/reblog`);
    await as(other(2))('POST', `v1/accounts/${alice.id}/follow`);
    const [followed, boosted, favourited] = await noticesIn();
    expect(followed).to.match(/^Unread: dora followed you · now/);
    expect(boosted).to.match(/^Unread: carol and bob boosted your post · now Rooks <b>nest<\/b> early$/);
    expect(favourited).to.match(/^Unread: erik and 3 others favourited your post · now/);
  });

  it('shows mentions whole, with the buttons of posts', async () => {
    const status = { status: '@alice where?', in_reply_to_id: mine.id };
    const { id } = await as(other(0))<Status>('POST', 'v1/statuses', status);
    await as(other(1))('POST', 'v1/statuses', { status: '@alice psst', visibility: 'direct' });
    const page = await open('/notifications?type=mention');
    const [first, second, ...rest] = textsIn(page, 'article', { class: 'notice' });
    expect(first).to.contain('carol mentioned you').and.contain('Private mention').and.contain('psst');
    expect(second).to.contain('bob replied to your post').and.contain('where?');
    expect(rest).to.deep.equal([]);
    expect(elementsIn(page, 'button', { formaction: `/web/v1/statuses/${id}/favourite` })).to.have.length(1);
    expect(elementsIn(page, 'a', { href: `/publish?in_reply_to_id=${id}` })).to.have.length(1);
  });

  it('shows one kind, offers staff kinds to staff alone, and takes an unknown kind for none', async () => {
    expect(await noticesIn('/notifications?type=reblog')).to.have.length(1);
    const all = await noticesIn();
    expect(await noticesIn('/notifications?type=nonsense')).to.deep.equal(all);
    const page = await open('/notifications?type=admin.report');
    expect(textsIn(page, 'article', { class: 'notice' })).to.deep.equal(all);
    const report = { href: '/notifications?type=admin.report' };
    expect(elementsIn(page, 'a', report)).to.have.length(0);
    await server.user('moira', { role: 'Moderator' });
    const moira = await signedIn(server, 'moira');
    expect(elementsIn(await moira.open('/notifications'), 'a', report)).to.have.length(1);
  });

  it('moves the read marker only when the button is pressed', async () => {
    const page = await open();
    await open();
    const [button] = elementsIn(page, 'button', { formaction: '/web/v1/markers' });
    expect(await as(alice)('GET', 'v1/markers?timeline[]=notifications')).to.deep.equal({});
    const { name = '', value = '' } = button?.attributes ?? {};
    const pressed = await browser.press('/web/v1/markers', { [name]: value });
    expect(locationOf(pressed)).to.equal('/notifications');
    const again = await open();
    expect(elementsIn(again, 'article', { class: 'unread' })).to.have.length(0);
    expect(elementsIn(again, 'article', { class: 'notice' })).to.have.length(5);
    expect(elementsIn(again, 'button', { formaction: '/web/v1/markers' })).to.have.length(0);
  });

  it('tells the script the number of unread ones, and strangers nothing', async () => {
    const count = async (): Promise<unknown> => (await open('/web/unread')).body as unknown;
    expect(await count()).to.equal('');
    await as(other(3))('POST', `v1/statuses/${mine.id}/reblog`);
    expect(await count()).to.contain('>1</span>');
    const stranger = await new Browser(server).open('/web/unread');
    expect([stranger.status, stranger.body]).to.deep.equal([401, '']);
  });

  it('accepts and rejects follow requests on the spot', async () => {
    await as(alice)('PATCH', 'v1/accounts/update_credentials', { locked: true });
    const [bob, carol] = [other(0), other(1)];
    for (const user of [bob, carol]) await as(user)('POST', `v1/accounts/${alice.id}/follow`);
    expect((await noticesIn('/notifications?type=follow_request'))[0]).to.contain(
      'carol has requested to follow you',
    );
    await browser.press(`/web/v1/follow_requests/${bob.id}/authorize`);
    await browser.open('/notifications');
    await browser.press(`/web/v1/follow_requests/${carol.id}/reject`);
    await server.waitUntilIdle();
    const ties = await as(alice)<Relationship[]>(
      'GET',
      `v1/accounts/relationships?id[]=${bob.id}&id[]=${carol.id}`,
    );
    expect(ties.map(({ followed_by }) => followed_by)).to.deep.equal([true, false]);
    await browser.open('/notifications');
    expect((await browser.press(`/web/v1/follow_requests/${carol.id}/authorize`)).status).to.equal(404);
  });

  it('dismisses one group, also twice', async () => {
    const page = await open('/notifications?type=favourite');
    const [button] = elementsIn(page, 'button', { 'aria-label': 'Dismiss' });
    const address = button?.attributes['formaction'] ?? '';
    expect(locationOf(await browser.press(address))).to.equal('/notifications?type=favourite');
    await browser.open('/notifications');
    expect((await browser.press(address)).status).to.equal(303);
    expect(await noticesIn('/notifications?type=favourite')).to.deep.equal([]);
    expect((await browser.press('/web/v2/notifications/nonsense/dismiss')).status).to.equal(303);
  });

  it('clears everything after a confirmation', async () => {
    expect(await noticesIn()).not.to.have.length(0);
    expect(textIn(await browser.open('/notifications/clear'))).to.contain('removed for good');
    expect(await noticesIn()).not.to.have.length(0);
    await browser.open('/notifications/clear');
    const done = await follow(browser, await browser.submit('/notifications/clear'));
    expect(doneOf(done)).to.equal('Your notifications are cleared.');
    expect(await noticesIn()).to.deep.equal([]);
  });

  it('takes any place in the list without an error', async () => {
    for (const query of ['max_id=nonsense', 'max_id=99999999999999999999', 'min_id=-1', 'max_id=1']) {
      expect((await open(`/notifications?${query}`)).status, query).to.equal(200);
    }
    expect(textIn(await open('/notifications?max_id=1'))).to.contain('There are no older notifications.');
  });

  it('runs as many statements for 20 notifications as for 5', async () => {
    const notify = async (count: number): Promise<void> => {
      for (let turn = 0; turn < count; turn += 1) {
        await as(other(turn % 2))('POST', 'v1/statuses', { status: `@alice number ${turn}` });
      }
      await server.waitUntilIdle();
    };
    const statements = (path: string): Promise<string[]> =>
      statementsOfRequests(server.app.db, () => browser.open(path));
    await notify(5);
    await open();
    const few = await statements('/notifications');
    await notify(15);
    const page = await open();
    expect(elementsIn(page, 'article', { class: 'notice' })).to.have.length(20);
    const many = await statements('/notifications');
    expect(few).not.to.have.length(0);
    expect(many.toSorted()).to.deep.equal(few.toSorted());
  });

  it('asks strangers to sign in first', async () => {
    const paths = ['', '/requests', '/requests/1', '/policy', '/clear'].map(
      (path) => `/notifications${path}`,
    );
    for (const path of [...paths, '/conversations', '/announcements']) {
      const answer = await new Browser(server).open(path);
      expect(locationOf(answer)).to.equal(`/auth/sign_in?return_to=${encodeURIComponent(path)}`);
    }
  });
});

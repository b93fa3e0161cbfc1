import { expect } from 'chai';
import { createAnnouncement } from '#commands/announcements/index.ts';
import type { Announcement, NotificationPolicy, NotificationRequest } from '#mastodon/schemas/index.ts';
import { alertOf, doneOf, follow, headingOf, signedIn } from '../account-pages/support.ts';
import { type Browser, locationOf } from '../oauth/client.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { callAs, elementsIn, textIn, textsIn } from './notices-support.ts';

const REQUESTS = '/notifications/requests';
const POLICY = '/notifications/policy';

describe('The pages of filtered notifications and announcements', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let strangers: TestUser[];
  let browser: Browser;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
    strangers = await Promise.all(['bob', 'carol', 'dora', 'erik'].map((name) => server.user(name)));
    browser = await signedIn(server, 'alice');
  });
  after(() => server.close());

  const as = (user: TestUser) => callAs(server, user);
  const waiting = async (): Promise<NotificationRequest[]> => {
    await server.waitUntilIdle();
    return as(alice)<NotificationRequest[]>('GET', 'v1/notifications/requests');
  };
  const policy = (): Promise<NotificationPolicy> =>
    as(alice)<NotificationPolicy>('GET', 'v2/notifications/policy');

  it('set who can notify the user', async () => {
    const page = await browser.open(POLICY);
    expect(elementsIn(page, 'select')).to.have.length(6);
    const done = await follow(browser, await browser.submit(POLICY, { for_not_following: 'filter' }));
    expect(doneOf(done)).to.equal('Your changes are saved.');
    const chosen = elementsIn(done, 'option')
      .filter(({ attributes }) => 'selected' in attributes)
      .map(({ attributes }) => attributes['value']);
    const { for_not_following, for_not_followers } = await policy();
    expect([for_not_following, for_not_followers]).to.deep.equal(['filter', 'accept']);
    expect(chosen.slice(0, 2)).to.deep.equal(['filter', 'accept']);
  });

  it('refuse a verdict that does not exist, and change nothing', async () => {
    const before = await policy();
    await browser.open(POLICY);
    const fields = { for_bots: 'drop', for_not_following: 'nonsense' };
    const refused = await browser.submit(POLICY, fields);
    expect(refused.status).to.equal(422);
    expect(alertOf(refused)).to.be.a('string');
    expect(await policy()).to.deep.equal(before);
  });

  it('list the people whose notifications wait, and say their number on the page of notifications', async () => {
    for (const user of strangers) {
      await as(user)('POST', 'v1/statuses', { status: `@alice hello from ${user.username}` });
      await server.waitUntilIdle();
    }
    expect(textIn(await browser.open('/notifications'))).to.contain('4 people that you may know');
    const page = await browser.open(REQUESTS);
    const [first, ...rest] = textsIn(page, 'article', { class: 'item' });
    expect(first).to.contain('@alice hello from erik').and.contain('Show 1 notification');
    expect(rest).to.have.length(3);
  });

  it('show what one of them sent, and accept it', async () => {
    const [request] = await waiting();
    const page = await browser.open(`${REQUESTS}/${request?.id}`);
    expect(headingOf(page)).to.equal('Notifications from erik');
    expect(textsIn(page, 'article', { class: 'notice' })[0]).to.contain('erik mentioned you');
    const accepted = await browser.press(`/web/v1/notifications/requests/${request?.id}/accept`);
    expect(locationOf(accepted)).to.equal(`${REQUESTS}?done=requests_accepted`);
    expect((await waiting()).map(({ account }) => account.username)).to.deep.equal(['dora', 'carol', 'bob']);
    expect(textIn(await browser.open('/notifications'))).to.contain('erik mentioned you');
  });

  it('answer several at once', async () => {
    const [dora, carol, bob] = await waiting();
    await browser.open(REQUESTS);
    const several = { 'id[0]': dora?.id, 'id[1]': carol?.id, 'id[2]': '1' };
    const done = await follow(
      browser,
      await browser.press('/web/v1/notifications/requests/dismiss', several),
    );
    expect(doneOf(done)).to.equal('Dismissed.');
    expect((await waiting()).map(({ id }) => id)).to.deep.equal([bob?.id]);
    await browser.submit('/web/v1/notifications/requests/accept', { 'id[]': bob?.id });
    expect(await waiting()).to.deep.equal([]);
    expect(textIn(await browser.open(REQUESTS))).to.contain('No notifications are filtered');
  });

  it('do nothing when none is selected', async () => {
    await browser.open('/notifications');
    expect((await browser.press('/web/v1/notifications/requests/accept')).status).to.equal(303);
  });

  for (const id of ['1', 'nonsense', '99999999999999999999']) {
    it(`answer 404 for a request with the id ${id}`, async () => {
      expect((await browser.open(`${REQUESTS}/${id}`)).status).to.equal(404);
      for (const act of ['accept', 'dismiss']) {
        await browser.open(REQUESTS);
        const pressed = await browser.press(`/web/v1/notifications/requests/${id}/${act}`);
        expect(pressed.status).to.equal(404);
      }
    });
  }

  it('do not show the requests of another user', async () => {
    const [bob] = strangers;
    if (!bob) return expect.fail();
    await as(bob)('PATCH', 'v2/notifications/policy', { for_not_following: 'filter' });
    await as(alice)('POST', 'v1/statuses', { status: '@bob hello' });
    await server.waitUntilIdle();
    const [theirs] = await as(bob)<NotificationRequest[]>('GET', 'v1/notifications/requests');
    expect(theirs).not.to.equal(undefined);
    expect((await browser.open(`${REQUESTS}/${theirs?.id}`)).status).to.equal(404);
  });

  describe('announcements', () => {
    let id: string;
    const shown = async (): Promise<Announcement | undefined> => {
      await server.waitUntilIdle();
      const all = await as(alice)<Announcement[]>('GET', 'v1/announcements');
      return all.find((each) => each.id === id);
    };
    const react = async (name: string) => {
      await browser.open('/announcements');
      return browser.submit('/announcements', { id, name });
    };

    before(async () => {
      const input = {
        text: 'We move on <Sunday>',
        starts_at: null,
        ends_at: null,
        all_day: false,
        scheduled_at: null,
      };
      id = await createAnnouncement(server.app.systemContext('spec'), input);
      await server.waitUntilIdle();
    });

    it('are shown, and marked as read by a button', async () => {
      const page = await browser.open('/announcements');
      expect(textIn(page)).to.contain('New').and.contain('We move on <Sunday>');
      await browser.press(`/web/v1/announcements/${id}/dismiss`);
      expect((await shown())?.read).to.equal(true);
      expect(textIn(await browser.open('/announcements'))).not.to.contain('Mark as read');
    });

    it('take a reaction by a form, and back by its button', async () => {
      expect(locationOf(await react(' 🎉 '))).to.equal(`/announcements#a${id}`);
      expect((await shown())?.reactions).to.deep.include({ name: '🎉', count: 1, me: true });
      const page = await browser.open('/announcements');
      const [button] = elementsIn(page, 'button', { class: 'reaction' });
      expect(button?.attributes).to.include({ 'aria-pressed': 'true', 'aria-label': '🎉, 1' });
      await browser.press(button?.attributes['formaction'] ?? '');
      expect((await shown())?.reactions).to.deep.equal([]);
    });

    for (const name of ['', 'nonsense', 'x'.repeat(200), '<b>']) {
      it(`refuse the reaction "${name.slice(0, 10)}"`, async () => {
        const refused = await react(name);
        expect(refused.status).to.equal(422);
        expect(alertOf(refused)).to.be.a('string').and.not.equal('');
        expect((await shown())?.reactions).to.deep.equal([]);
      });
    }

    it('cannot be read or reacted to when they do not exist', async () => {
      await browser.open('/announcements');
      expect((await browser.press('/web/v1/announcements/1/dismiss')).status).to.equal(404);
      await browser.open('/announcements');
      const pressed = await browser.press(
        `/web/v1/announcements/1/reactions/${encodeURIComponent('🎉')}/put`,
      );
      expect(pressed.status).to.equal(404);
    });
  });
});

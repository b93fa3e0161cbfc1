import { expect } from 'chai';
import type { Conversation, Status } from '#mastodon/schemas/index.ts';
import { doneOf, follow, signedIn } from '../account-pages/support.ts';
import { type Browser, locationOf } from '../oauth/client.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { statementsOfRequests } from '../support/statements.ts';
import { callAs, elementsIn, textIn, textsIn } from './notices-support.ts';

describe('The page of private mentions', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;
  let browser: Browser;

  before(async () => {
    server = await startTestServer();
    [alice, bob] = await Promise.all([server.user('alice'), server.user('bob')]);
    browser = await signedIn(server, 'alice');
    await callAs(server, alice)('POST', `v1/accounts/${bob.id}/follow`);
    await callAs(server, bob)('POST', `v1/accounts/${alice.id}/follow`);
  });
  after(() => server.close());

  const write = (user: TestUser, status: string, more: object = {}): Promise<Status> =>
    callAs(server, user)<Status>('POST', 'v1/statuses', { status, visibility: 'direct', ...more });
  const open = async (path = '/conversations') => {
    await server.waitUntilIdle();
    return browser.open(path);
  };
  const stored = async (user = alice): Promise<Conversation[]> => {
    await server.waitUntilIdle();
    return callAs(server, user)<Conversation[]>('GET', 'v1/conversations');
  };

  it('is empty at first, and leads to the composer', async () => {
    const page = await open();
    expect(textIn(page)).to.contain('You have no private mentions yet.');
    expect(elementsIn(page, 'a', { href: '/publish?visibility=direct' })).to.have.length(1);
  });

  it('lists conversations with their people, their last post and whether they are unread', async () => {
    const { id } = await write(bob, '@alice are <you> there?');
    const page = await open();
    const [line = ''] = textsIn(page, 'article', { class: 'conversation' });
    expect(line).to.match(/^Unread: bob now @alice are <you> there\?/);
    expect(elementsIn(page, 'a', { href: `/@bob/${id}` })).to.have.length(1);
    expect(elementsIn(page, 'a', { href: `/publish?in_reply_to_id=${id}` })).to.have.length(1);
  });

  it('marks a conversation as read, also twice', async () => {
    const [{ id } = { id: '' }] = await stored();
    for (const _turn of [1, 2]) {
      await open();
      const pressed = await browser.press(`/web/v1/conversations/${id}/read`);
      expect(locationOf(pressed)).to.equal(`/conversations#c${id}`);
    }
    expect((await stored())[0]?.unread).to.equal(false);
    const page = await open();
    expect(textIn(page)).not.to.contain('Unread').and.not.to.contain('Mark as read');
  });

  it('says that the last post is by the user', async () => {
    const [{ last_status } = { last_status: null }] = await stored();
    await write(alice, '@bob yes', { in_reply_to_id: last_status?.id });
    expect(textsIn(await open(), 'article', { class: 'conversation' })[0]).to.contain('You: @bob yes');
  });

  it('covers the text of a post with a content warning', async () => {
    await write(bob, '@alice the spider', { spoiler_text: 'Spiders' });
    const [line] = textsIn(await open(), 'article', { class: 'conversation' });
    expect(line).to.contain('Spiders').and.not.to.contain('the spider');
  });

  it('removes a conversation from the list after a confirmation, and only there', async () => {
    const before = await stored();
    const [{ id } = { id: '' }] = before;
    const path = `/conversations/${id}/delete`;
    expect(textIn(await browser.open(path))).to.contain('The posts stay');
    expect(await stored()).to.have.length(before.length);
    await browser.open(path);
    const done = await follow(browser, await browser.submit(path));
    expect(doneOf(done)).to.equal('The conversation is removed from your list.');
    expect(await stored()).to.have.length(before.length - 1);
    expect((await stored(bob)).length).to.equal(before.length);
  });

  it('refuses the conversations of others, and those that do not exist', async () => {
    const [theirs] = await stored(bob);
    for (const id of [theirs?.id ?? '', '1', 'nonsense']) {
      await browser.open('/conversations');
      expect((await browser.press(`/web/v1/conversations/${id}/read`)).status, id).to.equal(404);
      const path = `/conversations/${id}/delete`;
      await browser.open(path);
      expect((await browser.press(path)).status, id).to.equal(404);
    }
  });

  it('runs as many statements for 20 conversations as for 5', async () => {
    const statements = async (count: number): Promise<string[]> => {
      const missing = count - (await stored()).length;
      for (let turn = 0; turn < missing; turn += 1) await write(bob, `@alice number ${count} ${turn}`);
      expect(elementsIn(await open(), 'article', { class: 'conversation' })).to.have.length(count);
      return (await statementsOfRequests(server.app.db, () => browser.open('/conversations'))).toSorted();
    };
    const few = await statements(5);
    expect(await statements(20)).to.deep.equal(few);
  });
});

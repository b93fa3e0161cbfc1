import { expect } from 'chai';
import type { Account, List } from '#mastodon/schemas/index.ts';
import { alertOf, doneOf, follow, headingOf, signedIn } from '../account-pages/support.ts';
import { Browser, locationOf } from '../oauth/client.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { statementsOfRequests } from '../support/statements.ts';
import { callAs, elementsIn, textIn, textsIn } from './notices-support.ts';

describe('The pages of lists', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let others: TestUser[];
  let browser: Browser;
  let list: List;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
    const names = ['bob', ...Array.from({ length: 20 }, (_each, index) => `member_${index}`)];
    others = await Promise.all(names.map((name) => server.user(name)));
    browser = await signedIn(server, 'alice');
    for (const { id } of others) await as()('POST', `v1/accounts/${id}/follow`);
    await server.waitUntilIdle();
  });
  after(() => server.close());

  const as = (user = alice) => callAs(server, user);
  const stored = (): Promise<List[]> => as()<List[]>('GET', 'v1/lists');
  const members = async (): Promise<string[]> => {
    await server.waitUntilIdle();
    const found = await as()<Account[]>('GET', `v1/lists/${list.id}/accounts`);
    return found.map(({ username }) => username);
  };

  it('make a list from a form, once for a form that is sent twice', async () => {
    expect(textIn(await browser.open('/lists'))).to.contain('You have no lists yet.');
    const [key] = elementsIn(await browser.open('/lists'), 'input', { name: 'key' });
    const fields = { title: 'Birders <&>', key: key?.attributes['value'] };
    const first = await browser.submit('/lists', fields);
    await browser.open('/lists');
    const second = await browser.submit('/lists', fields);
    expect(locationOf(second)).to.equal(locationOf(first));
    const [made, ...more] = await stored();
    expect(more).to.deep.equal([]);
    list = made ?? list;
    expect(list.title).to.equal('Birders <&>');
    expect(locationOf(first)).to.equal(`/lists/${list.id}/edit`);
    expect(textsIn(await browser.open('/lists'), 'a', { href: `/lists/${list.id}` })).to.deep.equal([
      'Birders <&>',
    ]);
  });

  for (const [name, title] of [
    ['a blank title', ' '],
    ['a title that is too long', 'x'.repeat(257)],
  ] as const) {
    it(`refuse ${name}, show it again, and change nothing`, async () => {
      for (const path of ['/lists', `/lists/${list.id}/edit`]) {
        await browser.open(path);
        const refused = await browser.submit(path, { title, replies_policy: 'none' });
        expect(refused.status).to.equal(422);
        expect(alertOf(refused)).to.match(/^Title .*(blank|long)/);
        const [field] = elementsIn(refused, 'input', { name: 'title' });
        expect(field?.attributes).to.include({ value: title, 'aria-invalid': 'true' });
      }
      expect(await stored()).to.deep.equal([list]);
    });
  }

  it('refuse an unknown policy of replies', async () => {
    const path = `/lists/${list.id}/edit`;
    await browser.open(path);
    const refused = await browser.submit(path, { title: 'Other', replies_policy: 'nonsense' });
    expect(refused.status).to.equal(422);
    expect(await stored()).to.deep.equal([list]);
  });

  it('change the settings of a list', async () => {
    const path = `/lists/${list.id}/edit`;
    await browser.open(path);
    const fields = { title: 'Rooks', replies_policy: 'none', exclusive: 'true' };
    expect(doneOf(await follow(browser, await browser.submit(path, fields)))).to.equal('The list is saved.');
    expect(await stored()).to.deep.equal([
      { id: list.id, title: 'Rooks', replies_policy: 'none', exclusive: true },
    ]);
    const page = await browser.open(path);
    expect(elementsIn(page, 'input', { name: 'exclusive' })[0]?.attributes).to.include.keys('checked');
    await browser.submit(path, { title: 'Rooks', replies_policy: 'followed' });
    expect((await stored())[0]).to.include({ exclusive: false, replies_policy: 'followed' });
  });

  it('find followed people, and add and remove them', async () => {
    const [bob] = others;
    const found = await browser.open(`/lists/${list.id}/edit?q=bob`);
    const [add] = elementsIn(found, 'button', { name: 'account_ids[]' });
    expect(add?.attributes).to.include({ formaction: `/web/v1/lists/${list.id}/accounts`, value: bob?.id });
    const added = await browser.press(`/web/v1/lists/${list.id}/accounts`, { 'account_ids[]': bob?.id });
    expect(locationOf(added)).to.equal(`/lists/${list.id}/edit?q=bob`);
    expect(await members()).to.deep.equal(['bob']);

    const again = await browser.open(`/lists/${list.id}/edit?q=bob`);
    const [remove] = elementsIn(again, 'button', { name: 'account_ids[]' });
    expect(remove?.text).to.contain('Remove');
    const twice = await browser.press(`/web/v1/lists/${list.id}/accounts`, { 'account_ids[]': bob?.id });
    expect(twice.status).to.equal(422);
    expect(alertOf(twice)).to.contain('already on the list');
    await browser.open(`/lists/${list.id}/edit`);
    await browser.press(remove?.attributes['formaction'] ?? '', { 'account_ids[]': bob?.id });
    expect(await members()).to.deep.equal([]);
  });

  it('do not offer people who are not followed', async () => {
    await server.user('zoe');
    await server.waitUntilIdle();
    const page = await browser.open(`/lists/${list.id}/edit?q=zoe`);
    expect(textIn(page)).to.contain('Nobody that you follow matches.');
  });

  it('show the posts of the members', async () => {
    const [bob] = others;
    await as()('POST', `v1/lists/${list.id}/accounts`, { account_ids: [bob?.id] });
    await callAs(server, bob ?? alice)('POST', 'v1/statuses', { status: 'On the list' });
    await server.waitUntilIdle();
    const page = await browser.open(`/lists/${list.id}`);
    expect(headingOf(page)).to.equal('Rooks');
    expect(textIn(page)).to.contain('On the list');
    expect(elementsIn(page, 'div', { 'data-stream': `list&list=${list.id}` })).to.have.length(1);
  });

  it('run as many statements for 20 members as for 5', async () => {
    const statements = async (count: number): Promise<string[]> => {
      const known = await members();
      const fresh = others.filter(({ username }) => !known.includes(username)).slice(0, count - known.length);
      await as()('POST', `v1/lists/${list.id}/accounts`, { account_ids: fresh.map(({ id }) => id) });
      await server.waitUntilIdle();
      const path = `/lists/${list.id}/edit`;
      expect(elementsIn(await browser.open(path), 'button', { name: 'account_ids[]' })).to.have.length(count);
      return (await statementsOfRequests(server.app.db, () => browser.open(path))).toSorted();
    };
    const few = await statements(5);
    expect(await statements(20)).to.deep.equal(few);
  });

  it('answer 404 for a list of another user and for one that does not exist', async () => {
    const theirs = await callAs(server, others[0] ?? alice)<List>('POST', 'v1/lists', { title: 'Mine' });
    for (const id of [theirs.id, '1', 'nonsense', '99999999999999999999']) {
      for (const path of [`/lists/${id}`, `/lists/${id}/edit`, `/lists/${id}/delete`]) {
        expect((await browser.open(path)).status, path).to.equal(404);
      }
      for (const path of [`/web/v1/lists/${id}/accounts`, `/web/v1/lists/${id}/accounts/delete`]) {
        await browser.open('/lists');
        expect((await browser.press(path, { 'account_ids[]': alice.id })).status, path).to.equal(404);
      }
    }
  });

  it('keep what was typed when the session has ended', async () => {
    const visitor = await signedIn(server, 'alice');
    await visitor.open('/lists');
    visitor.cookies.clear();
    const kept = await visitor.submit('/lists', { title: 'Not lost' });
    expect(kept.status).to.equal(403);
    expect(elementsIn(kept, 'input', { name: 'title' })[0]?.attributes['value']).to.equal('Not lost');
    expect(await stored()).to.have.length(1);
  });

  it('delete a list after a confirmation', async () => {
    const path = `/lists/${list.id}/delete`;
    expect(textIn(await browser.open(path))).to.contain('Rooks is deleted for good');
    expect(await stored()).to.have.length(1);
    await browser.open(path);
    expect(doneOf(await follow(browser, await browser.submit(path)))).to.equal('The list is deleted.');
    expect(await stored()).to.deep.equal([]);
  });

  it('ask strangers to sign in first', async () => {
    for (const path of ['/lists', `/lists/${list.id}`, `/lists/${list.id}/edit`, '/followed_tags']) {
      const answer = await new Browser(server).open(path);
      expect(locationOf(answer)).to.equal(`/auth/sign_in?return_to=${encodeURIComponent(path)}`);
    }
  });
});

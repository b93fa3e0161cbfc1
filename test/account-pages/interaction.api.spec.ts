import { expect } from 'chai';
import type { Browser } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { FEDERATING, HERE } from '../support/inbox.ts';
import { startPeer, type Peer } from '../support/peer.ts';
import { startTestServer, type Answer, type TestServer, type TestUser } from '../support/server.ts';
import { alertOf, doneOf, follow, headingOf, signedIn } from './support.ts';

const PATH = '/authorize_interaction';
const pathOf = (uri: string): string => `${PATH}?uri=${encodeURIComponent(uri)}`;

describe('The page for accounts and posts found on other sites', function () {
  this.timeout(60_000);
  let server: TestServer;
  let peer: Peer;
  let alice: TestUser;
  let bob: TestUser;
  let browser: Browser;

  before(async function () {
    this.timeout(120_000);
    [server, peer] = await Promise.all([startTestServer(FEDERATING), startPeer()]);
    [alice, bob] = await Promise.all([server.user('alice'), server.user('bob')]);
    browser = await signedIn(server, 'alice');
  });
  after(() => Promise.all([server.close(), peer.close()]));

  const buttons = ({ body }: Answer): string[] =>
    load(body as string)
      .all('button')
      .map(({ text }) => text)
      .filter((text) => text !== 'Sign out');
  const follows = async (uri: string): Promise<unknown> => {
    const found = await server.app.contextDependencies.services.resolver.resolve(uri);
    const path = `/api/v1/accounts/relationships?id[]=${found?.account ?? ''}`;
    const [one] = (await server.call('GET', path, { token: alice.token })).body as Record<string, unknown>[];
    return { following: one?.['following'], requested: one?.['requested'] };
  };

  it('follows a remote account given by its address or its handle', async () => {
    const uri = peer.actor('carol', {
      summary: '<p>Rooks <script>x</script></p>',
      manuallyApprovesFollowers: true,
    });
    for (const named of [`@carol@${peer.host}`, `acct:carol@${peer.host}`, uri]) {
      const page = await browser.open(pathOf(named));
      expect(page.status, named).equal(200);
      expect(headingOf(page)).equal('Follow');
      expect(page.body).contain('<p>Rooks </p>');
      expect(buttons(page)).deep.equal([`Ask to follow @carol@${peer.host}`]);
    }
    expect((await browser.open(`${PATH}?acct=carol@${peer.host}`)).status).equal(200);
    await browser.open(pathOf(uri));
    const id = (await server.app.contextDependencies.services.resolver.resolve(uri))?.account;
    const done = await follow(browser, await browser.submit(PATH, { account_id: id, uri }));
    expect(doneOf(done)).contain('Done.');
    expect(done.body).contain('You have asked to follow this account.');
    expect(buttons(done)).deep.equal([]);
    expect(await follows(uri)).deep.equal({ following: false, requested: true });
  });

  it("follows a local account, but not one's own", async () => {
    const page = await browser.open(pathOf(`${HERE}/users/bob`));
    expect(buttons(page)).deep.equal(['Follow @bob@rookery.example']);
    const form = { account_id: bob.id, uri: `${HERE}/users/bob` };
    const done = await follow(browser, await browser.submit(PATH, form));
    expect(done.body).contain('You follow this account.');
    expect((await browser.open(pathOf(`${HERE}/users/alice`))).body).contain('This is your own account.');
  });

  it('shows a post with its author and its address', async () => {
    peer.actor('dora');
    const uri = peer.note('dora', 'feathers');
    const page = await browser.open(pathOf(uri));
    expect(page.status).equal(200);
    expect(page.body).contain('feathers').contain(`<code>${uri}</code>`);
    expect(buttons(page)).deep.equal([`Follow @dora@${peer.host}`]);
  });

  it('answers 404 to addresses of nothing visible, and 400 to missing and overlong ones', async () => {
    const { body } = await server.call('POST', '/api/v1/statuses', {
      token: bob.token,
      body: { status: 'Hidden', visibility: 'direct' },
    });
    const hidden = (body as { uri: string }).uri;
    for (const uri of [
      hidden,
      `${peer.origin}/nothing`,
      'rooks',
      'javascript:alert(1)',
      'http://',
      '@x@',
      '\0',
    ]) {
      const page = await browser.open(pathOf(uri));
      expect(page.status, uri).equal(404);
      expect(page.body, uri).contain('No account and no post was found').not.contain('Hidden');
    }
    for (const path of [PATH, `${PATH}?uri=`, `${PATH}?uri=%20`, pathOf(`https://${'x'.repeat(2_100)}`)]) {
      expect((await browser.open(path)).status, path.slice(0, 60)).equal(400);
    }
  });

  it('requires sign-in and a CSRF token, and refuses accounts that the target blocks', async () => {
    const stranger = await server.call('GET', pathOf(`${HERE}/users/bob`), { redirect: 'manual' } as object);
    expect(stranger.status).equal(303);
    expect(stranger.headers.get('location')).equal(
      `/auth/sign_in?return_to=${encodeURIComponent(pathOf(`${HERE}/users/bob`))}`,
    );
    await server.user('mallory');
    const mallory = await signedIn(server, 'mallory');
    await mallory.open(pathOf(`${HERE}/users/bob`));
    const forged = await mallory.post(PATH, { account_id: bob.id, csrf_token: 'x' });
    expect(forged.status).equal(403);
    for (const id of ['', 'x', '1', '007']) {
      await mallory.open(pathOf(`${HERE}/users/bob`));
      expect((await mallory.submit(PATH, { account_id: id, uri: `${HERE}/users/bob` })).status, id).equal(
        404,
      );
    }
    const rows = await server.call('GET', `/api/v1/accounts/lookup?acct=mallory`, {});
    const { id } = rows.body as { id: string };
    await server.call('POST', `/api/v1/accounts/${id}/block`, { token: bob.token });
    await mallory.open(pathOf(`${HERE}/users/bob`));
    const refused = await mallory.submit(PATH, { account_id: bob.id, uri: `${HERE}/users/bob` });
    expect(refused.status).equal(403);
    expect(alertOf(refused)).not.equal(undefined);
  });
});

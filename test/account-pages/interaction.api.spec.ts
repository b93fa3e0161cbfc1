import { expect } from 'chai';
import { locationOf, type Browser } from '../oauth/client.ts';
import { FEDERATING, HERE } from '../support/inbox.ts';
import { startPeer, type Peer } from '../support/peer.ts';
import { startTestServer, type Answer, type TestServer, type TestUser } from '../support/server.ts';
import { alertOf, follow, inMain, signedIn } from './support.ts';

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

  /** The addresses of the buttons that follow, or take a follow back. */
  const buttons = (answer: Answer): string[] =>
    inMain(answer, 'button')
      .map(({ attributes }) => attributes['formaction'] ?? '')
      .filter((address) => /\/(un)?follow$/.test(address));
  const shown = async (path: string, by = browser): Promise<Answer> => follow(by, await by.open(path));
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
      const answer = await browser.open(pathOf(named));
      expect(locationOf(answer), named).equal(`/@carol@${peer.host}`);
    }
    expect((await browser.open(`${PATH}?acct=carol@${peer.host}`)).status).equal(303);
    const page = await shown(pathOf(uri));
    expect(page.body).contain('<p>Rooks </p>');
    const id = (await server.app.contextDependencies.services.resolver.resolve(uri))?.account;
    expect(buttons(page)).deep.equal([`/web/v1/accounts/${id}/follow`]);
    expect(await follows(uri)).deep.equal({ following: false, requested: false });
    const done = await follow(browser, await browser.press(`/web/v1/accounts/${id}/follow`));
    expect(buttons(done)).deep.equal([`/web/v1/accounts/${id}/unfollow`]);
    expect(await follows(uri)).deep.equal({ following: false, requested: true });
  });

  it("follows a local account, but not one's own", async () => {
    const page = await shown(pathOf(`${HERE}/users/bob`));
    expect(buttons(page)).deep.equal([`/web/v1/accounts/${bob.id}/follow`]);
    await browser.press(`/web/v1/accounts/${bob.id}/follow`);
    expect(await follows(`${HERE}/users/bob`)).include({ following: true });
    expect(buttons(await shown(pathOf(`${HERE}/users/alice`)))).deep.equal([]);
  });

  it('shows a post with its author', async () => {
    peer.actor('dora');
    const uri = peer.note('dora', 'feathers');
    const page = await shown(pathOf(uri));
    expect(page.status).equal(200);
    expect(page.body).contain('feathers').contain(`@dora@${peer.host}`);
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
    const button = `/web/v1/accounts/${bob.id}/follow`;
    const forged = await mallory.post(button, { csrf_token: 'x' });
    expect(forged.status).equal(403);
    for (const id of ['x', '1', '007']) {
      await shown(pathOf(`${HERE}/users/bob`), mallory);
      expect((await mallory.press(`/web/v1/accounts/${id}/follow`)).status, id).equal(404);
    }
    const rows = await server.call('GET', `/api/v1/accounts/lookup?acct=mallory`, {});
    const { id } = rows.body as { id: string };
    await server.call('POST', `/api/v1/accounts/${id}/block`, { token: bob.token });
    await mallory.open('/settings');
    const refused = await mallory.press(button);
    expect(refused.status).equal(403);
    expect(alertOf(refused)).not.equal(undefined);
  });
});

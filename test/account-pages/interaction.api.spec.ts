import { expect } from 'chai';
import type { Browser } from '../oauth/client.ts';
import { locationOf } from '../oauth/client.ts';
import { FEDERATING, HERE } from '../support/inbox.ts';
import { type Peer, startPeer } from '../support/peer.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { signedIn } from './support.ts';

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

  /** Opens the address, and returns where it leads. */
  const leads = async (path: string): Promise<string> => {
    const answer = await browser.open(path);
    expect(answer.status, path).equal(303);
    return locationOf(answer);
  };

  it('leads to the profile of a remote account given by its address or its handle, without a follow', async () => {
    const uri = peer.actor('carol', { summary: '<p>Rooks <script>x</script></p>' });
    for (const named of [`@carol@${peer.host}`, `acct:carol@${peer.host}`, uri]) {
      expect(await leads(pathOf(named)), named).equal(`/@carol@${peer.host}`);
    }
    expect(await leads(`${PATH}?acct=carol@${peer.host}`)).equal(`/@carol@${peer.host}`);
    const profile = await browser.open(`/@carol@${peer.host}`);
    expect(profile.status).equal(200);
    expect(profile.body).contain('<p>Rooks </p>');
    const found = await server.app.contextDependencies.services.resolver.resolve(uri);
    const path = `/api/v1/accounts/relationships?id[]=${found?.account ?? ''}`;
    const [one] = (await server.call('GET', path, { token: alice.token })).body as Record<string, unknown>[];
    expect(one).include({ following: false, requested: false });
  });

  it('leads to the profile of a local account', async () => {
    expect(await leads(pathOf(`${HERE}/users/bob`))).equal('/@bob');
    expect(await leads(pathOf(`${HERE}/users/alice`))).equal('/@alice');
  });

  it('leads to the page of a post', async () => {
    peer.actor('dora');
    expect(await leads(pathOf(peer.note('dora', 'feathers')))).match(
      new RegExp(`^/@dora@${peer.host.replaceAll('.', '\\.')}/\\d+$`),
    );
  });

  it('answers 404 to addresses of nothing visible, and 400 to missing and overlong ones', async () => {
    const { body } = await server.call('POST', '/api/v1/statuses', {
      token: bob.token,
      body: { status: '@bob Hidden', visibility: 'direct' },
    });
    const hidden = (body as { uri: string }).uri;
    for (const uri of [hidden, `${peer.origin}/nothing`, 'rooks', 'javascript:alert(1)', 'http://', '@x@']) {
      const page = await browser.open(pathOf(uri));
      expect(page.status, uri).equal(404);
      expect(page.body, uri).contain('No account and no post was found').not.contain('Hidden');
    }
    for (const path of [PATH, `${PATH}?uri=`, `${PATH}?uri=%20`, pathOf(`https://${'x'.repeat(2_100)}`)]) {
      expect((await browser.open(path)).status, path.slice(0, 60)).equal(400);
    }
  });

  it('requires sign-in, and returns to the address afterwards', async () => {
    const stranger = await server.call('GET', pathOf(`${HERE}/users/bob`), { redirect: 'manual' } as object);
    expect(stranger.status).equal(303);
    expect(stranger.headers.get('location')).equal(
      `/auth/sign_in?return_to=${encodeURIComponent(pathOf(`${HERE}/users/bob`))}`,
    );
  });
});

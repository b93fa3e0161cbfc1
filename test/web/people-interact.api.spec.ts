import { expect } from 'chai';
import { alertOf, headingOf, signedIn } from '../account-pages/support.ts';
import { Browser, locationOf } from '../oauth/client.ts';
import { FEDERATING, HERE } from '../support/inbox.ts';
import { type Peer, startPeer } from '../support/peer.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { linksOf, pageOf } from './people-support.ts';

const SUBSCRIBE = 'http://ostatus.org/schema/1.0/subscribe';
const BOB = `${HERE}/users/bob`;
const pathOf = (uri: string, kind = 'follow'): string =>
  `/interact?${new URLSearchParams({ uri, kind }).toString()}`;

describe('The page that leads visitors to their own server', function () {
  this.timeout(60_000);
  let server: TestServer;
  let peer: Peer;
  let bob: TestUser;
  let post: { id: string; uri: string; url: string };

  before(async function () {
    this.timeout(120_000);
    [server, peer] = await Promise.all([startTestServer(FEDERATING), startPeer()]);
    bob = await server.user('bob');
    const { body } = await server.call('POST', '/api/v1/statuses', {
      token: bob.token,
      body: { status: 'about rooks' },
    });
    post = body as typeof post;
    await server.waitUntilIdle();
  });
  after(() => Promise.all([server.close(), peer.close()]));

  /** Fills in the handle of a visitor. */
  const visit = async (home: string, path = pathOf(BOB)): Promise<Answer> => {
    const visitor = new Browser(server);
    const page = await visitor.open(path);
    expect(page.status, path).to.equal(200);
    return visitor.submit('/interact', { home });
  };
  /** A server names these templates. */
  const templates = (name: string, links: Record<string, string>): string => {
    peer.finger(name, {
      subject: `acct:${name}@${peer.host}`,
      links: Object.entries(links).map(([rel, template]) => ({ rel, template })),
    });
    return `${name}@${peer.host}`;
  };

  it('shows the account or the post, and the way to sign in', async () => {
    const visitor = new Browser(server);
    const page = await visitor.open(pathOf(BOB));
    expect(headingOf(page)).to.equal('Follow @bob@rookery.example');
    expect(page.headers.get('content-security-policy')).not.to.contain('form-action');
    const then = `/authorize_interaction?uri=${encodeURIComponent(BOB)}`;
    const signIn = pageOf(page)
      .all('a')
      .filter(({ attributes }) => attributes['href']?.startsWith('/auth/sign_in?'));
    expect(signIn.map(({ attributes }) => attributes['href'])).to.include(
      `/auth/sign_in?return_to=${encodeURIComponent(then)}`,
    );
    for (const [kind, heading] of [
      ['reply', 'Reply to @bob@rookery.example'],
      ['reblog', 'Boost a post by @bob@rookery.example'],
      ['favourite', 'Favourite a post by @bob@rookery.example'],
    ] as const) {
      const shown = await visitor.open(pathOf(post.uri, kind));
      expect([headingOf(shown), (shown.body as string).includes('about rooks')]).to.deep.equal([
        heading,
        true,
      ]);
    }
    const open = await server.call('GET', new URL(post.url).pathname, { headers: { Accept: 'text/html' } });
    expect(linksOf(open)).to.include({
      Reply: pathOf(post.uri, 'reply'),
      Boost: pathOf(post.uri, 'reblog'),
      Favourite: pathOf(post.uri, 'favourite'),
    });
  });

  it('leads to the address that the server of the handle names', async () => {
    const handle = templates('dora', { [SUBSCRIBE]: 'https://far.example/follow?who={uri}' });
    for (const home of [handle, `@${handle}`, `acct:${handle}`, ` ${handle} `]) {
      const done = await visit(home);
      expect(done.status, home).to.equal(303);
      expect(locationOf(done)).to.equal(`https://far.example/follow?who=${encodeURIComponent(BOB)}`);
    }
  });

  it('prefers the intent for the act, and fills in what it knows', async () => {
    const handle = templates('eve', {
      [SUBSCRIBE]: 'https://far.example/any?uri={uri}',
      'https://w3id.org/fep/3b86/Like': 'https://far.example/like?o={object}&x={other}',
      'https://w3id.org/fep/3b86/Create': 'https://far.example/write?to={inReplyTo}',
    });
    const uri = encodeURIComponent(post.uri);
    for (const [kind, address] of [
      ['favourite', `https://far.example/like?o=${uri}&x=`],
      ['reply', `https://far.example/write?to=${uri}`],
      ['reblog', `https://far.example/any?uri=${uri}`],
    ] as const) {
      expect(locationOf(await visit(handle, pathOf(post.uri, kind))), kind).to.equal(address);
    }
  });

  it("asks a server that is named alone for its own account, and takes Mastodon's address without one", async () => {
    const without = await visit(`http://${peer.host}/`);
    expect(locationOf(without)).to.equal(
      `https://${peer.host}/authorize_interaction?uri=${encodeURIComponent(BOB)}`,
    );
    templates(peer.host, { [SUBSCRIBE]: 'https://far.example/server?uri={uri}' });
    const done = await visit(`http://${peer.host}/`);
    expect(locationOf(done)).to.equal(`https://far.example/server?uri=${encodeURIComponent(BOB)}`);
  });

  it('refuses templates that are no addresses with https', async () => {
    for (const template of [
      'javascript:alert(1)//{uri}',
      'http://far.example/?uri={uri}',
      'data:text/html,{uri}',
      '//far.example/{uri}',
      '/authorize?uri={uri}',
      'https://user:password@far.example/{uri}',
      'https://far.example/without',
      '{uri}',
    ]) {
      const done = await visit(templates('mallory', { [SUBSCRIBE]: template }));
      expect([done.status, alertOf(done)?.includes('did not say')], template).to.deep.equal([422, true]);
    }
  });

  it('refuses text that names no server, and servers that do not answer', async () => {
    for (const home of [
      '',
      'bob',
      '@bob',
      'two words',
      'a@b@c',
      'https://',
      'javascript:alert(1)',
      'x'.repeat(3_000),
    ]) {
      const done = await visit(home);
      expect([done.status, alertOf(done) !== undefined], home.slice(0, 30)).to.deep.equal([422, true]);
    }
    const missing = await visit(`nobody@${peer.host}`);
    expect([missing.status, alertOf(missing)?.includes(peer.host)]).to.deep.equal([422, true]);
    peer.finger('broken', 'no document' as never);
    expect((await visit(`broken@${peer.host}`)).status).to.equal(422);
  });

  it('reaches no private address', async () => {
    const strict = await startTestServer({ LOCAL_HTTPS: 'false' });
    try {
      await strict.user('bob');
      const visitor = new Browser(strict);
      const asked = peer.asked.length;
      const { origin } = strict.app.instance;
      for (const home of [
        `dora@${peer.host}`,
        'dora@10.0.0.1',
        'dora@[::1]',
        'dora@localhost',
        'http://169.254.169.254/',
      ]) {
        const page = await visitor.open(pathOf(`${origin}/users/bob`));
        expect(page.status).to.equal(200);
        expect((await visitor.submit('/interact', { home })).status, home).to.equal(422);
      }
      expect(peer.asked.length).to.equal(asked);
    } finally {
      await strict.close();
    }
  }).timeout(120_000);

  it('leads users of this server to sign in, and signed-in ones to the account', async () => {
    const done = await visit('alice@rookery.example');
    expect(locationOf(done)).to.contain('/auth/sign_in?return_to=');
    await server.user('alice');
    const alice = await signedIn(server, 'alice');
    expect(locationOf(await alice.open(pathOf(BOB)))).to.equal(
      `/authorize_interaction?uri=${encodeURIComponent(BOB)}`,
    );
  });

  it('knows only what this server shows to strangers', async () => {
    const { body } = await server.call('POST', '/api/v1/statuses', {
      token: bob.token,
      body: { status: 'Hidden', visibility: 'private' },
    });
    const visitor = new Browser(server);
    for (const path of [
      pathOf((body as { uri: string }).uri, 'reply'),
      pathOf(`${HERE}/users/nobody`),
      pathOf('https://far.example/users/x'),
      pathOf('javascript:alert(1)'),
      pathOf(BOB, 'delete'),
      '/interact',
      pathOf(`${HERE}/users/${'x'.repeat(3_000)}`),
    ]) {
      expect((await visitor.open(path)).status, path.slice(0, 80)).to.equal(404);
    }
    await visitor.open(pathOf(BOB));
    const forged = await visitor.submit('/interact', {
      home: 'a@far.example',
      uri: 'https://evil.example/x',
    });
    expect(forged.status).to.equal(404);
  });

  it('limits how often one address asks other servers', async () => {
    const limited = await startTestServer({
      ...FEDERATING,
      RATE_LIMITS: 'on',
      RATE_LIMIT_EXEMPT_LOOPBACK: 'off',
    });
    try {
      await limited.user('bob');
      const visitor = new Browser(limited);
      const statuses: number[] = [];
      for (let number = 0; number < 30; number += 1) {
        await visitor.open(pathOf(`${limited.app.instance.origin}/users/bob`));
        statuses.push((await visitor.submit('/interact', { home: `nobody@${peer.host}` })).status);
      }
      expect(statuses.slice(0, 20).every((status) => status === 422)).to.equal(true);
      expect(statuses.at(-1)).to.equal(429);
    } finally {
      await limited.close();
    }
  }).timeout(120_000);
});

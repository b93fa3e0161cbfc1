import { expect } from 'chai';
import { startTestServer, type TestServer } from '../support/server.ts';

describe('registering apps', () => {
  let server: TestServer;

  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const create = (body: unknown) => server.call('POST', '/api/v1/apps', { body });

  it('gives credentials, and the app as it was registered', async () => {
    const { status, body } = await create({
      client_name: 'Test Application',
      redirect_uris: ['https://app.example/callback', 'urn:ietf:wg:oauth:2.0:oob'],
      scopes: 'read write push',
      website: 'https://app.example',
    });
    expect(status).to.equal(200);
    expect(body).to.deep.include({
      name: 'Test Application',
      website: 'https://app.example',
      scopes: ['read', 'write', 'push'],
      redirect_uris: ['https://app.example/callback', 'urn:ietf:wg:oauth:2.0:oob'],
      redirect_uri: 'https://app.example/callback\nurn:ietf:wg:oauth:2.0:oob',
      client_secret_expires_at: 0,
      vapid_key: server.app.instance.vapidPublicKey,
    });
    expect(body.client_secret).to.match(/^[\w-]{43}$/);
    expect(body.client_id).to.be.a('string');
  });

  it('takes a form, redirect URIs in one text, and defaults to the scope read', async () => {
    const { body } = await create(
      new URLSearchParams({
        client_name: 'Form',
        redirect_uris: 'app:/one\nhttps://app.example/two app:/one',
      }),
    );
    expect(body.redirect_uris).to.deep.equal(['app:/one', 'https://app.example/two']);
    expect(body.scopes).to.deep.equal(['read']);
    expect(body.website).to.equal(null);
  });

  const valid = { client_name: 'App', redirect_uris: 'https://app.example/' };
  const refused: [string, Record<string, unknown>, RegExp][] = [
    ['no name', { client_name: ' ' }, /Application Name can't be blank/],
    ['a name that is too long', { client_name: 'x'.repeat(61) }, /Application Name is too long/],
    ['no redirect URI', { redirect_uris: '' }, /Redirect URI can't be blank/],
    ['a relative redirect URI', { redirect_uris: '/callback' }, /: Redirect URI must be an absolute URI\.$/],
    [
      'a redirect URI with a fragment',
      { redirect_uris: 'https://a.example/#x' },
      /cannot contain a fragment/,
    ],
    [
      'a redirect URI that runs a script',
      { redirect_uris: 'JavaScript:alert(1)' },
      /is forbidden by the server/,
    ],
    [
      'a redirect URI that is too long',
      { redirect_uris: `https://a.example/${'x'.repeat(2_000)}` },
      /too long/,
    ],
    [
      'too many redirect URIs',
      { redirect_uris: Array.from({ length: 21 }, (_, n) => `a:/${n}`) },
      /Redirect URI/,
    ],
    ['unknown scopes', { scopes: 'read nonsense' }, /Scopes/],
    ['a website that is no address', { website: 'javascript:alert(1)' }, /Website must be a valid URL/],
    ['a name that is no text', { client_name: { a: 1 } }, /client_name/],
  ];
  for (const [what, change, message] of refused) {
    it(`refuses ${what}`, async () => {
      const { status, body } = await create({ ...valid, ...change });
      expect(status).to.equal(422);
      expect(body.error)
        .to.match(/^Validation failed: /)
        .and.to.match(message);
    });
  }

  it('shows an app to its own token and to those of its users', async () => {
    const alice = await server.user('alice');
    const { status, body } = await server.call('GET', '/api/v1/apps/verify_credentials', {
      token: alice.token,
    });
    expect([status, body.name]).to.deep.equal([200, 'tests']);
    expect((await server.call('GET', '/api/v1/apps/verify_credentials')).status).to.equal(401);
  });
});

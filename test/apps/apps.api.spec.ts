import { expect } from 'chai';
import { applicationStream } from '#events/apps.ts';
import { forgetUnusedApplications } from '#interfaces/oauth/registrations.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

interface Credentials {
  client_id: string;
  client_secret: string;
}

const authorizeQuery = (clientId: string): string =>
  new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: 'https://app.example/',
    scope: 'read',
  }).toString();
const pick = (object: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(keys.map((key) => [key, object[key]]));

describe('Registering apps', () => {
  let server: TestServer;

  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const create = (body: unknown) => server.call('POST', '/api/v1/apps', { body });

  it('returns credentials and the registered app', async () => {
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

  it('accepts forms and redirect URIs in one text, and defaults to the scope read', async () => {
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
    ['no name', { client_name: ' ' }, /Application name can't be blank/],
    ['a name that is too long', { client_name: 'x'.repeat(61) }, /Application name is too long/],
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
    [
      'a website that is no address',
      { website: 'javascript:alert(1)' },
      /Application website is not a valid URL/,
    ],
    ['a name that is null', { client_name: null }, /Application name can't be blank/],
    ['addresses that are null', { redirect_uris: null }, /Redirect URI can't be blank/],
    ['a name that is no text', { client_name: { a: 1 } }, /Application name can't be blank/],
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

  const inLog = async (id: string): Promise<boolean> =>
    (await server.app.log.readStream(applicationStream(id))).length > 0;
  const ownToken = async ({ client_id, client_secret }: Credentials): Promise<string> => {
    const body = { grant_type: 'client_credentials', client_id, client_secret };
    const { status, body: token } = await server.call('POST', '/oauth/token', { body });
    expect(status).to.equal(200);
    return token.access_token as string;
  };

  it('keeps an app out of the log until its first token', async () => {
    const { body: app } = await create(valid);
    expect(await inLog(app.id)).to.equal(false);
    const page = await server.call('GET', `/oauth/authorize?${authorizeQuery(app.client_id)}`);
    expect(page.status).to.equal(200);
    const token = await ownToken(app);
    expect(await inLog(app.id)).to.equal(true);
    const { body } = await server.call('GET', '/api/v1/apps/verify_credentials', { token });
    expect(body).to.deep.equal(pick(app, Object.keys(body)));
  });

  it('deletes an app that got no token within a day', async () => {
    const { db } = server.app;
    const [unused, used] = [(await create(valid)).body, (await create(valid)).body];
    await ownToken(used);
    await db.query(`update durable.application_secrets set created_at = created_at - interval '25 hours'`);
    await forgetUnusedApplications(db);
    const statusOf = async ({ client_id }: Credentials): Promise<number> =>
      (await server.call('GET', `/oauth/authorize?${authorizeQuery(client_id)}`)).status;
    expect([await statusOf(unused), await statusOf(used)]).to.deep.equal([400, 200]);
  });

  it('keeps the twenty newest tokens of an app itself', async () => {
    const { body: app } = await create(valid);
    const tokens: string[] = [];
    for (let n = 0; n < 21; n += 1) tokens.push(await ownToken(app));
    const statusOf = async (token: string | undefined): Promise<number> =>
      (await server.call('GET', '/api/v1/apps/verify_credentials', { token: token! })).status;
    expect([await statusOf(tokens[0]), await statusOf(tokens[1])]).to.deep.equal([401, 200]);
  });

  it("shows an app to its own token and to its users' tokens", async () => {
    const alice = await server.user('alice');
    const { status, body } = await server.call('GET', '/api/v1/apps/verify_credentials', {
      token: alice.token,
    });
    expect([status, body.name]).to.deep.equal([200, 'tests']);
    expect((await server.call('GET', '/api/v1/apps/verify_credentials')).status).to.equal(401);
  });
});

import { expect } from 'chai';
import { type Answer, startTestServer, type TestServer } from '../support/server.ts';
import { registerApp, type TestApp } from './client.ts';

const UNKNOWN_CLIENT =
  'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.';

describe('The description of an access token', () => {
  let server: TestServer;
  let app: TestApp;
  let token: string;
  let revoked: string;
  before(async () => {
    server = await startTestServer();
    app = await registerApp(server);
    token = await issue();
    revoked = await issue();
    await server.call('POST', '/oauth/revoke', { body: { ...clientOf(app), token: revoked } });
  });
  after(() => server.close());

  const clientOf = ({ client_id, client_secret }: TestApp) => ({ client_id, client_secret });
  const issue = async (of = app): Promise<string> => {
    const body = { grant_type: 'client_credentials', scope: 'read write', ...clientOf(of) };
    return ((await server.call('POST', '/oauth/token', { body })).body as { access_token: string })
      .access_token;
  };
  const introspect = (body: Record<string, string>, bearer?: string): Promise<Answer> =>
    server.call('POST', '/oauth/introspect', { body, token: bearer });
  const challengeOf = ({ headers }: Answer): string | null => headers.get('www-authenticate');

  it("is given to the token's application, by its secret", async () => {
    const { status, body } = await introspect({ ...clientOf(app), token });
    expect(status).to.equal(200);
    const { iat, ...described } = body as { iat: number };
    expect(described).to.deep.equal({
      active: true,
      scope: 'read write',
      client_id: app.client_id,
      token_type: 'Bearer',
      exp: 0,
    });
    expect(iat).to.be.closeTo(Date.now() / 1_000, 600);
  });

  it('is given for another token of the same application, and not for the token itself', async () => {
    const other = await issue();
    expect((await introspect({ token }, other)).body).to.include({ active: true });
    const itself = await introspect({ token }, token);
    expect([itself.status, itself.body]).to.deep.equal([
      401,
      { error: 'invalid_token', error_description: 'The access token is invalid' },
    ]);
    expect(challengeOf(itself)).to.equal(
      'Bearer realm="Doorkeeper", error="invalid_token", error_description="The access token is invalid"',
    );
    const foreign = await issue(await registerApp(server));
    expect((await introspect({ token }, foreign)).status).to.equal(401);
  });

  it('reports every other token as inactive', async () => {
    for (const each of [revoked, 'nonsense', '', await issue(await registerApp(server))]) {
      const { status, body } = await introspect({ ...clientOf(app), token: each });
      expect([status, body], each).to.deep.equal([200, { active: false }]);
    }
    expect((await introspect(clientOf(app))).body).to.deep.equal({ active: false });
  });

  it('is refused without a client, and to one with a wrong secret', async () => {
    expect((await introspect({ token })).body).to.deep.equal({
      error: 'invalid_request',
      error_description:
        'Request need to be authorized. Required parameter for authorizing request is missing or invalid.',
    });
    const wrong = await introspect({ ...clientOf(app), client_secret: 'x', token });
    expect([wrong.status, wrong.body]).to.deep.equal([
      401,
      { error: 'invalid_client', error_description: UNKNOWN_CLIENT },
    ]);
    expect(challengeOf(wrong)).to.match(/^Bearer realm="Doorkeeper", error="invalid_client"/);
  });

  it('is given to the owner of the token', async () => {
    const { status, body } = await server.call('GET', '/oauth/token/info', { token });
    expect(status).to.equal(200);
    expect(body).to.deep.include({
      resource_owner_id: null,
      scope: ['read', 'write'],
      expires_in: null,
      application: { uid: app.client_id },
    });
    const alice = await server.user('alice');
    const own = await fetch(`${server.url}/oauth/token/info?access_token=${alice.token}`);
    expect(await own.text()).to.include(`"resource_owner_id":${alice.id},`);
    for (const bad of [revoked, 'nonsense', undefined]) {
      const refusal = await server.call('GET', '/oauth/token/info', { token: bad });
      expect([refusal.status, refusal.body]).to.deep.equal([
        401,
        { error: 'invalid_token', error_description: 'The access token is invalid' },
      ]);
    }
  });

  it('distinguishes a revoked token from a wrong one, also in the API', async () => {
    for (const [bearer, error] of [
      [revoked, 'The access token was revoked'],
      ['nonsense', 'The access token is invalid'],
      [undefined, 'The access token is invalid'],
    ] as const) {
      const answer = await server.call('GET', '/api/v1/apps/verify_credentials', { token: bearer });
      expect([answer.status, answer.body]).to.deep.equal([401, { error }]);
      expect(challengeOf(answer)).to.equal(
        `Bearer realm="Doorkeeper", error="invalid_token", error_description="${error}"`,
      );
    }
    expect((await server.call('GET', '/api/v1/timelines/public', { token: revoked })).status).to.equal(200);
  });
});

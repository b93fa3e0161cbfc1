import { expect } from 'chai';
import { scopeNames } from '#mastodon/scopes.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { registerApp, type TestApp } from './client.ts';

describe('The token endpoints', () => {
  let server: TestServer;
  let app: TestApp;
  let alice: TestUser;

  before(async () => {
    server = await startTestServer();
    app = await registerApp(server, { scopes: 'read write' });
    alice = await server.user('alice');
  });
  after(() => server.close());

  const client = (of = app) => ({ client_id: of.client_id, client_secret: of.client_secret });
  const token = (body: Record<string, unknown>) => server.call('POST', '/oauth/token', { body });
  const appToken = async (of = app): Promise<string> =>
    (await token({ grant_type: 'client_credentials', ...client(of) })).body.access_token as string;
  const verifyApp = (bearer: string) =>
    server.call('GET', '/api/v1/apps/verify_credentials', { token: bearer });

  describe('client credentials', () => {
    it('issue a token for the app itself', async () => {
      const { status, body } = await token({
        grant_type: 'client_credentials',
        scope: 'write read',
        ...client(),
      });
      expect(status).to.equal(200);
      expect(body).to.include({ token_type: 'Bearer', scope: 'write read' });
      const verified = await verifyApp(body.access_token as string);
      expect(verified.body).to.include({ id: app.id, name: 'Test app' });
      expect(verified.body).not.to.have.any.keys('client_id', 'client_secret');
    });

    it('default to read', async () => {
      expect((await token({ grant_type: 'client_credentials', ...client() })).body.scope).to.equal('read');
    });

    it('allow a subset of the registered scopes only', async () => {
      const ask = (scope: string) => token({ grant_type: 'client_credentials', scope, ...client() });
      expect((await ask('read:accounts')).body.scope).to.equal('read:accounts');
      for (const scope of ['push', 'admin:read', 'nonsense', 'read nonsense']) {
        const { status, body } = await ask(scope);
        expect([status, body.error]).to.deep.equal([400, 'invalid_scope']);
      }
    });

    it('are refused when they are wrong', async () => {
      for (const wrong of [
        { client_id: app.client_id, client_secret: 'wrong' },
        { client_id: '12345', client_secret: app.client_secret },
        { client_id: "1' or 1=1", client_secret: app.client_secret },
        { client_id: app.client_id },
      ]) {
        const { status, body } = await token({ grant_type: 'client_credentials', ...wrong });
        expect([status, body.error]).to.deep.equal([401, 'invalid_client']);
        expect(body.error_description).to.be.a('string');
      }
    });
  });

  it('refuse with the texts of Mastodon, and report a missing code and redirect URI before the client', async () => {
    const grant = { grant_type: 'authorization_code' };
    const uri = { redirect_uri: 'https://app.example/callback' };
    for (const [body, error, words] of [
      [{ ...grant, ...client() }, 'invalid_request', 'Missing required parameter: code.'],
      [{ ...grant, ...client(), code: 'x' }, 'invalid_request', 'Missing required parameter: redirect_uri.'],
      [{ ...grant, ...client(), ...uri, code: 'x' }, 'invalid_grant', 'The provided authorization grant is'],
      [client(), 'invalid_request', 'Missing required parameter: grant_type.'],
      [{ ...client(), grant_type: 'magic' }, 'unsupported_grant_type', 'The authorization grant type is not'],
      [
        { ...client(), grant_type: 'client_credentials', scope: 'x' },
        'invalid_scope',
        'The requested scope is invalid, unknown, or malformed.',
      ],
    ] as const) {
      const answer = await token(body);
      expect([answer.status, answer.body.error]).to.deep.equal([400, error]);
      expect(answer.body.error_description).to.match(new RegExp(`^${words}`));
      expect(answer.headers.get('www-authenticate')).to.match(/^Bearer realm="Doorkeeper", error="/);
    }
  });

  it('issue any scope to an app that registered with an empty text', async () => {
    const { body: open } = await server.call('POST', '/api/v1/apps', {
      body: { client_name: 'Open', redirect_uris: 'https://app.example/callback', scopes: '' },
    });
    expect(open.scopes).to.deep.equal([]);
    const ask = async (scope: string) =>
      token({ grant_type: 'client_credentials', scope, ...client(open as TestApp) });
    expect((await ask('')).body.scope).to.equal('read');
    const { body } = await ask('write push');
    expect(body.scope).to.equal('write push');
    expect((await verifyApp(body.access_token as string)).body.scopes).to.deep.equal([]);
    expect((await ask('nonsense')).body.error).to.equal('invalid_scope');
  });

  it('accept parameters in the query, an empty scope as none, and report a missing client', async () => {
    const grant = { grant_type: 'client_credentials' };
    const query = new URLSearchParams({ ...grant, ...client(), scope: 'nonsense' }).toString();
    const answer = await server.call('POST', `/oauth/token?${query}`, { body: { scope: '' } });
    expect([answer.status, answer.body.scope]).to.deep.equal([200, 'read']);
    const { status, body } = await token(grant);
    expect([status, body.error]).to.deep.equal([400, 'invalid_request']);
  });

  it('refuse unknown grants, and report all other problems as OAuth errors', async () => {
    for (const grant_type of ['password', 'refresh_token', 'implicit', '__proto__']) {
      const { status, body } = await token({ grant_type, ...client(), username: 'alice', password: 'x' });
      expect([status, body.error]).to.deep.equal([400, 'unsupported_grant_type']);
    }
    expect((await token(client())).body.error).to.equal('invalid_request');
    expect((await token({ grant_type: ['a', 'b'], ...client() })).body.error).to.equal('invalid_request');
    const broken = await server.call('POST', '/oauth/token', {
      body: '{',
      headers: { 'Content-Type': 'application/json' },
    });
    expect([broken.status, broken.body.error]).to.deep.equal([400, 'invalid_request']);
  });

  describe('revocation', () => {
    const revoke = (body: Record<string, unknown>) => server.call('POST', '/oauth/revoke', { body });

    it('invalidates a token at once, and may be repeated', async () => {
      const bearer = await appToken();
      expect((await verifyApp(bearer)).status).to.equal(200);
      for (let time = 1; time <= 2; time += 1) {
        const { status, body } = await revoke({ token: bearer, ...client() });
        expect([status, body]).to.deep.equal([200, {}]);
        expect((await verifyApp(bearer)).status).to.equal(401);
      }
    });

    it('takes client credentials by HTTP Basic', async () => {
      const bearer = await appToken();
      const basic = Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64');
      const { status } = await server.call('POST', '/oauth/revoke', {
        body: new URLSearchParams({ token: bearer }),
        headers: { Authorization: `Basic ${basic}` },
      });
      expect(status).to.equal(200);
      expect((await verifyApp(bearer)).status).to.equal(401);
    });

    it('is refused for the token of another app, for wrong credentials and without a token', async () => {
      const other = await registerApp(server);
      const bearer = await appToken();
      for (const body of [
        { token: bearer, ...client(other) },
        { token: bearer, client_id: app.client_id, client_secret: 'wrong' },
        { token: bearer },
        client(),
      ]) {
        const answer = await revoke(body);
        expect([answer.status, answer.body.error]).to.deep.equal([403, 'unauthorized_client']);
      }
      expect((await verifyApp(bearer)).status).to.equal(200);
    });

    it('succeeds for an unknown token', async () => {
      expect((await revoke({ token: 'nonsense', ...client() })).status).to.equal(200);
    });
  });

  describe('userinfo', () => {
    it('describes the user', async () => {
      const bearer = await server.tokenFor(alice.id, ['profile']);
      for (const method of ['GET', 'POST']) {
        const { status, body } = await server.call(method, '/oauth/userinfo', { token: bearer });
        expect(status).to.equal(200);
        const { uri, url, avatar } = (await server.call('GET', `/api/v1/accounts/${alice.id}`)).body;
        expect(body).to.deep.equal({
          iss: `${server.app.instance.origin}/`,
          sub: uri,
          name: '',
          preferred_username: 'alice',
          profile: url,
          picture: avatar,
        });
      }
    });

    it('needs a valid user token with the scope profile', async () => {
      const ask = (bearer?: string) => server.call('GET', '/oauth/userinfo', { token: bearer });
      expect((await ask()).status).to.equal(401);
      expect((await ask('nonsense')).body).to.deep.equal({ error: 'The access token is invalid' });
      expect((await ask(await server.tokenFor(alice.id, ['read']))).status).to.equal(403);
      expect((await ask(await appToken())).status).to.equal(422);
    });
  });

  it('are described by the metadata document', async () => {
    const { status, body } = await server.call('GET', '/.well-known/oauth-authorization-server');
    const { origin } = server.app.instance;
    expect(status).to.equal(200);
    expect(body).to.deep.include({
      issuer: `${origin}/`,
      authorization_endpoint: `${origin}/oauth/authorize`,
      token_endpoint: `${origin}/oauth/token`,
      revocation_endpoint: `${origin}/oauth/revoke`,
      userinfo_endpoint: `${origin}/oauth/userinfo`,
      app_registration_endpoint: `${origin}/api/v1/apps`,
      scopes_supported: [...scopeNames],
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: ['authorization_code', 'client_credentials'],
    });
  });

  it('allow web apps of any origin', async () => {
    const preflight = await server.call('OPTIONS', '/oauth/token');
    expect(preflight.status).to.equal(204);
    expect(preflight.headers.get('access-control-allow-origin')).to.equal('*');
    const { headers } = await token({ grant_type: 'client_credentials', ...client() });
    expect(headers.get('access-control-allow-origin')).to.equal('*');
  });
});

describe('the password grant', () => {
  let server: TestServer;
  let app: TestApp;

  before(async () => {
    server = await startTestServer({ OAUTH_PASSWORD_GRANT: 'true' });
    app = await registerApp(server);
    await server.user('alice');
    await server.user('newcomer', { confirmed: false });
  });
  after(() => server.close());

  const ask = (username: string, password: string) =>
    server.call('POST', '/oauth/token', {
      body: {
        grant_type: 'password',
        client_id: app.client_id,
        client_secret: app.client_secret,
        scope: 'read write',
        username,
        password,
      },
    });

  it('is available when the operator enables it', async () => {
    const { status, body } = await ask('alice', 'correct horse alice');
    expect([status, body.scope]).to.deep.equal([200, 'read write']);
    const { grant_types_supported } = (await server.call('GET', '/.well-known/oauth-authorization-server'))
      .body;
    expect(grant_types_supported).to.include('password');
  });

  it('does not tell a wrong name from a wrong password', async () => {
    const [wrong, unknown] = [await ask('alice', 'wrong'), await ask('nobody', 'wrong')];
    expect([wrong.status, wrong.body.error]).to.deep.equal([400, 'invalid_grant']);
    expect(unknown.body).to.deep.equal(wrong.body);
  });

  it('issues no token to a user whose address is not confirmed', async () => {
    const { status, body } = await ask('newcomer', 'correct horse newcomer');
    expect([status, body.error]).to.deep.equal([400, 'invalid_grant']);
    expect(body.error_description).to.contain('confirm');
  });
});

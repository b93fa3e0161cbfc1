import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import {
  answerOf,
  authorizePath,
  Browser,
  CALLBACK,
  locationOf,
  OUT_OF_BAND,
  pkce,
  registerApp,
  type TestApp,
} from './client.ts';

describe('The authorization code flow', () => {
  let server: TestServer;
  let app: TestApp;
  let alice: TestUser;
  const password = 'correct horse alice';

  before(async () => {
    server = await startTestServer();
    app = await registerApp(server);
    alice = await server.user('alice');
  });
  after(() => server.close());

  /** A browser at the consent page. */
  const consenting = async (parameters: Record<string, string> = {}, of = app): Promise<Browser> => {
    const browser = new Browser(server);
    const page = await browser.signIn(authorizePath(of, parameters), 'alice', password);
    expect(page.status).to.equal(200);
    return browser;
  };

  const codeFor = async (parameters: Record<string, string> = {}, of = app): Promise<string> => {
    const browser = await consenting(parameters, of);
    return answerOf(await browser.send('consent', { decision: 'approve' }))['code'] ?? '';
  };

  const trade = (code: string, fields: Record<string, unknown> = {}, of = app) =>
    server.call('POST', '/oauth/token', {
      body: {
        grant_type: 'authorization_code',
        client_id: of.client_id,
        client_secret: of.client_secret,
        redirect_uri: CALLBACK,
        code,
        ...fields,
      },
    });

  it('issues a token that acts for the user', async () => {
    const { verifier, challenge } = pkce();
    const code = await codeFor({
      scope: 'read push',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    const { status, body, headers } = await trade(code, { code_verifier: verifier });
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('access_token', 'token_type', 'scope', 'created_at');
    expect(body).to.include({ token_type: 'Bearer', scope: 'read push' });
    expect(body.created_at).to.be.closeTo(Date.now() / 1_000, 60);
    expect(headers.get('cache-control')).to.equal('no-store');

    const me = await server.call('GET', '/api/v1/accounts/verify_credentials', { token: body.access_token });
    expect(me.body.id).to.equal(alice.id);
  });

  it('accepts form, multipart and JSON bodies, and client credentials by HTTP Basic', async () => {
    const basic = Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64');
    const fields = async () => ({
      grant_type: 'authorization_code',
      redirect_uri: CALLBACK,
      code: await codeFor(),
    });
    const multipart = new FormData();
    for (const [name, value] of Object.entries(await fields())) multipart.set(name, value);
    for (const body of [new URLSearchParams(await fields()), multipart, await fields()]) {
      const answer = await server.call('POST', '/oauth/token', {
        body,
        headers: { Authorization: `Basic ${basic}` },
      });
      expect(answer.status).to.equal(200);
    }
  });

  it('returns state unchanged', async () => {
    const state = 'a b+c/ü&x=1"<>%20';
    const approved = await (await consenting({ state })).send('consent', { decision: 'approve' });
    expect(answerOf(approved)).to.include({ state }).and.to.have.property('code');
    const denied = await (await consenting({ state })).send('consent', { decision: 'deny' });
    expect(answerOf(denied)).to.include({ state, error: 'access_denied' }).and.not.to.have.property('code');
  });

  it('keeps the query and the scheme of the registered redirect URI', async () => {
    for (const redirect_uri of [
      'https://app.example/?page=1',
      'com.example.app://oauth',
      'example:/callback',
    ]) {
      const own = await registerApp(server, { redirect_uris: [CALLBACK, redirect_uri] });
      const answer = await (await consenting({ redirect_uri }, own)).send('consent', { decision: 'approve' });
      expect(locationOf(answer).startsWith(redirect_uri)).to.equal(true);
      const { code = '' } = answerOf(answer);
      expect((await trade(code, { redirect_uri }, own)).status).to.equal(200);
    }
  });

  it('lets only native apps use any port of the loopback address', async () => {
    const own = await registerApp(server, {
      redirect_uris: 'http://127.0.0.1:5000/cb\nhttp://app.example:5000/cb',
    });
    const at = async (redirect_uri: string) =>
      (await new Browser(server).open(authorizePath(own, { redirect_uri }))).status;
    expect(await at('http://127.0.0.1:61234/cb')).to.equal(200);
    expect(await at('http://127.0.0.1:61234/other')).to.equal(400);
    expect(await at('http://app.example:61234/cb')).to.equal(400);
    expect(await at('http://127.0.0.1@evil.example/cb')).to.equal(400);
    expect(await at('http://127.0.0.1:99999/cb')).to.equal(400);
  });

  it('refuses a wrong or missing PKCE verifier, and invalidates the code', async () => {
    const { verifier, challenge } = pkce();
    const parameters = { code_challenge: challenge, code_challenge_method: 'S256' };
    for (const [wrong, error] of [
      [{ code_verifier: pkce().verifier }, 'invalid_grant'],
      [{}, 'invalid_request'],
    ] as const) {
      const code = await codeFor(parameters);
      const { status, body } = await trade(code, wrong);
      expect([status, body.error]).to.deep.equal([400, error]);
      expect((await trade(code, { code_verifier: verifier })).body.error).to.equal('invalid_grant');
    }
  });

  it('refuses PKCE without S256', async () => {
    const { challenge } = pkce();
    for (const parameters of [
      { code_challenge: challenge, code_challenge_method: 'plain' },
      { code_challenge: challenge },
      { code_challenge: 'short', code_challenge_method: 'S256' },
    ]) {
      const page = await new Browser(server).open(authorizePath(app, parameters));
      expect(page.status).to.equal(400);
      expect(page.body).to.contain('PKCE');
    }
  });

  it('refuses a repeated code, and revokes the token that it gave', async () => {
    const code = await codeFor();
    const { body: token } = await trade(code);
    const check = () =>
      server.call('GET', '/api/v1/accounts/verify_credentials', { token: token.access_token });
    expect((await check()).status).to.equal(200);
    const again = await trade(code);
    expect([again.status, again.body.error]).to.deep.equal([400, 'invalid_grant']);
    expect((await check()).status).to.equal(401);
  });

  it('issues at most one token for two concurrent uses of a code', async () => {
    const code = await codeFor();
    const answers = await Promise.all([trade(code), trade(code), trade(code)]);
    expect(answers.filter(({ status }) => status === 200).length).to.be.at.most(1);
    for (const { body } of answers.filter(({ status }) => status === 200)) {
      const token = body.access_token as string;
      expect((await server.call('GET', '/api/v1/accounts/verify_credentials', { token })).status).to.equal(
        401,
      );
    }
  });

  it('issues no code in a browser whose session ends during the consent', async () => {
    const { db, tokens } = server.app;
    const browser = await consenting();
    const waiting = `select pid from pg_locks where not granted and relation = 'users'::regclass`;
    const answer = await db.transaction(async (held) => {
      // The user is looked up after the session.
      await held.query('lock table users in access exclusive mode');
      const answering = browser.send('consent', { decision: 'approve' });
      await eventually(async () => expect(await db.query(waiting)).to.have.length(1));
      await tokens.revokeAllOf(alice.id);
      return { answering };
    });
    expect((await answer.answering).status).to.equal(410);
    const codes = 'select code_hash from durable.authorization_codes where account_id = $1';
    expect(await db.query(codes, [alice.id])).to.deep.equal([]);
    expect((await browser.open(authorizePath(app))).body).to.contain('name="password"');
  });

  it('refuses the code of another client, another redirect URI, and no code at all', async () => {
    const other = await registerApp(server);
    const code = await codeFor();
    expect((await trade(code, {}, other)).body.error).to.equal('invalid_grant');
    expect((await trade(code, { redirect_uri: 'https://app.example/else' })).body.error).to.equal(
      'invalid_grant',
    );
    expect((await trade('nonsense')).body.error).to.equal('invalid_grant');
    expect((await trade('', { code: undefined })).body.error).to.equal('invalid_request');
    expect((await trade(code)).status).to.equal(200);
  });

  it('shows the problem of a request, and redirects nowhere', async () => {
    const wrong: Record<string, string>[] = [
      { redirect_uri: 'https://evil.example/callback' },
      { redirect_uri: `${CALLBACK}/more` },
      { redirect_uri: '' },
      { client_id: '1' },
      { client_id: 'x'.repeat(100) },
      { response_type: 'token' },
      { scope: 'read admin:write' },
      { scope: 'nonsense' },
      { state: 'x'.repeat(6_000) },
    ];
    for (const parameters of wrong) {
      const page = await new Browser(server).open(authorizePath(app, parameters));
      expect(page.status, JSON.stringify(parameters).slice(0, 80)).to.equal(400);
      expect(locationOf(page)).to.equal('');
      expect(page.body).to.contain('role="alert"');
    }
  });

  it('shows the code to copy when the app has no address', async () => {
    const own = await registerApp(server, { redirect_uris: OUT_OF_BAND });
    const browser = await consenting({ redirect_uri: OUT_OF_BAND }, own);
    const answer = await browser.send('consent', { decision: 'approve' });
    expect(locationOf(answer)).to.match(/^\/oauth\/authorize\/native\?code=[\w-]{43}$/);
    const page = await browser.open(locationOf(answer));
    const code = /id="code"[^>]*>([\w-]{43})</.exec(page.body as string)?.[1] ?? '';
    expect((await trade(code, { redirect_uri: OUT_OF_BAND }, own)).status).to.equal(200);
    expect((await browser.open('/oauth/authorize/native?code=%3Cscript%3E')).status).to.equal(400);
  });

  it('asks for the password again with force_login, and offers another account', async () => {
    const browser = await consenting();
    expect((await browser.open(authorizePath(app))).body).to.contain('Signed in as');
    expect((await browser.open(authorizePath(app, { force_login: 'true' }))).body).to.contain(
      'type="password"',
    );
    await browser.open(authorizePath(app));
    const out = await browser.send('sign_out');
    expect((await browser.open(locationOf(out))).body).to.contain('type="password"');
  });
});

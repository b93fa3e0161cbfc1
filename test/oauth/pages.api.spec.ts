import { expect } from 'chai';
import { accountStream } from '#events/accounts.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { authorizePath, Browser, locationOf, registerApp, type TestApp } from './client.ts';

describe('The OAuth pages', () => {
  let server: TestServer;
  let app: TestApp;

  before(async () => {
    server = await startTestServer();
    app = await registerApp(server, { scopes: 'read write push admin:read' });
    await server.user('alice');
  });
  after(() => server.close());

  const signedIn = async (): Promise<Browser> => {
    const browser = new Browser(server);
    await browser.signIn(authorizePath(app), 'alice', 'correct horse alice');
    return browser;
  };

  it('are not cached, cannot be framed, and run no script', async () => {
    const { headers, body } = await new Browser(server).open(authorizePath(app));
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(headers.get('x-frame-options')).to.equal('DENY');
    expect(headers.get('referrer-policy')).to.equal('no-referrer');
    const policy = headers.get('content-security-policy');
    expect(policy).to.contain("default-src 'none'").and.to.contain("frame-ancestors 'none'");
    expect(policy).not.to.contain('unsafe');
    expect(body).not.to.contain('<script').and.not.to.contain('style="');
  });

  it('have a stylesheet of their own', async () => {
    const { body } = await new Browser(server).open(authorizePath(app));
    const path = /<link rel="stylesheet" href="([^"]+)"/.exec(body as string)?.[1] ?? '';
    const { status, headers } = await server.call('GET', path);
    expect([status, headers.get('content-type')]).to.deep.equal([200, 'text/css; charset=utf-8']);
  });

  it('set a cookie that scripts and other sites cannot read', async () => {
    const { headers } = await new Browser(server).open(authorizePath(app));
    const [cookie = ''] = headers.getSetCookie();
    expect(cookie)
      .to.match(/^__Host-/)
      .and.to.contain('HttpOnly')
      .and.to.contain('SameSite=Lax');
    expect(cookie).to.contain('Secure').and.to.contain('Path=/');
  });

  it('show scopes in groups, and mark the dangerous ones', async () => {
    const browser = await signedIn();
    const { body } = await browser.open(
      authorizePath(app, { scope: 'read:lists write:media push admin:read' }),
    );
    for (const text of ['See your lists', 'Upload media files', 'Send you push notifications']) {
      expect(body).to.contain(text);
    }
    expect((body as string).split('class="scopes dangerous"')).to.have.length(2);
  });

  it('escape texts of apps and users', async () => {
    const evil = '<script>alert(1)</script>"\'&';
    const own = await registerApp(server, { client_name: evil, website: 'https://x.example/"><b>' });
    const browser = new Browser(server);
    const { body } = await browser.open(authorizePath(own, { state: evil, lang: '"><b>' }));
    expect(body).not.to.contain('<script>').and.not.to.contain('"><b>');
    expect(body).to.contain('&#60;script&#62;alert(1)');
    const again = await browser.send('sign_in', { login: evil, password: 'x' });
    expect(again.status).to.equal(422);
    expect(again.body).not.to.contain('<script>');
    const consent = await browser.signIn(authorizePath(own), 'alice', 'correct horse alice');
    expect(consent.body).not.to.contain('<script>').and.not.to.contain('"><b>');
  });

  it('refuse forms without the token of this browser', async () => {
    const browser = await signedIn();
    for (const csrf_token of [undefined, '', 'wrong']) {
      const answer = await browser.send('consent', { decision: 'approve', csrf_token });
      expect([answer.status, locationOf(answer)]).to.deep.equal([403, '']);
      await browser.open(authorizePath(app));
    }
    const stranger = new Browser(server);
    await stranger.open(authorizePath(app));
    const login = { login: 'alice', password: 'correct horse alice', csrf_token: undefined };
    expect((await stranger.send('sign_in', login)).status).to.equal(403);
  });

  it('create a new session at sign-in, and end it at sign-out', async () => {
    const browser = new Browser(server);
    await browser.open(authorizePath(app));
    const [before] = browser.cookies.values();
    await browser.signIn(authorizePath(app), 'alice', 'correct horse alice');
    const cookies = new Map(browser.cookies);
    expect([...cookies.values()]).not.to.include(before);
    await browser.send('sign_out');
    const thief = new Browser(server);
    for (const [name, value] of cookies) thief.cookies.set(name, value);
    expect((await thief.open(authorizePath(app))).body).to.contain('type="password"');
  });

  it('show the same for a wrong password and an unknown user', async () => {
    const attempt = async (login: string) => {
      const { status, body } = await new Browser(server).signIn(authorizePath(app), login, 'wrong');
      return [status, /role="alert">([^<]+)</.exec(body as string)?.[1]];
    };
    const wrong = await attempt('alice');
    expect(wrong).to.deep.equal([422, 'The e-mail address, the username or the password is wrong.']);
    expect(await attempt('nobody@example.org')).to.deep.equal(wrong);
  });

  it('tell a user whose address is not confirmed to confirm it', async () => {
    await server.user('newcomer', { confirmed: false });
    const page = await new Browser(server).signIn(authorizePath(app), 'newcomer', 'correct horse newcomer');
    expect(page.status).to.equal(403);
    expect(page.body).to.contain('confirm your e-mail address');
  });

  it('refuse browsers whose sessions were ended', async () => {
    const carol = await server.user('carol');
    const browser = new Browser(server);
    await browser.signIn(authorizePath(app), 'carol', 'correct horse carol');
    await server.app.tokens.revokeAllOf(carol.id);
    const answer = await browser.send('consent', { decision: 'approve' });
    expect(locationOf(answer)).to.match(/^\/oauth\/authorize\?/);
    expect((await browser.open(locationOf(answer))).body).to.contain('type="password"');
    const { status } = await server.call('GET', '/api/v1/accounts/verify_credentials', {
      token: carol.token,
    });
    expect(status).to.equal(401);
  });

  for (const [type, reason] of [
    ['UserDisabled', 'has been disabled'],
    ['AccountSuspended', 'has been suspended'],
  ] as const) {
    it(`refuse a user after ${type}, signed in or not, with the reason`, async () => {
      const name = type.toLowerCase();
      const user = await server.user(name);
      const browser = new Browser(server);
      await browser.signIn(authorizePath(app), name, `correct horse ${name}`);

      const ctx = server.app.systemContext('tests');
      const unchanging = { initialState: null, evolve: () => null };
      await ctx.execute(accountStream(user.id), unchanging, () => [{ type, data: { account_id: user.id } }]);
      await ctx.waitForReadModels();

      const answer = await browser.send('consent', { decision: 'approve' });
      expect([answer.status, locationOf(answer)]).to.deep.equal([403, '']);
      expect(answer.body).to.contain(reason);
      const stranger = await new Browser(server).signIn(authorizePath(app), name, `correct horse ${name}`);
      expect(stranger.status).to.equal(403);
      expect(stranger.body).to.contain(reason);
      expect((await new Browser(server).signIn(authorizePath(app), name, 'wrong')).body).not.to.contain(
        reason,
      );
    });
  }
});

describe('Guessing passwords', () => {
  let server: TestServer;

  before(async () => {
    server = await startTestServer({ RATE_LIMITS: 'on', RATE_LIMIT_EXEMPT_LOOPBACK: 'off' });
  });
  after(() => server.close());

  it('is stopped after a while, with a page that says so', async () => {
    const app = await registerApp(server);
    const browser = new Browser(server);
    await browser.open(authorizePath(app));
    const statuses = new Set<number>();
    const guess = async (password: string): Promise<void> => {
      const { status, body } = await browser.send('sign_in', { login: 'alice', password });
      statuses.add(status);
      if (status === 429) expect(body).to.contain('Too many attempts').and.to.contain('type="password"');
    };
    for (let attempt = 1; attempt <= 100 && !statuses.has(429); attempt += 2) {
      await Promise.all([guess(`guess ${attempt}`), guess(`guess ${attempt + 1}`)]);
    }
    expect([...statuses]).to.have.members([422, 429]);
  });
});

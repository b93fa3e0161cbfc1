import { expect } from 'chai';
import { account } from '#commands/accounts/index.ts';
import { type AccountEvent, accountStream } from '#events/accounts.ts';
import { script } from '#interfaces/web/browser/script.ts';
import { accountPages } from '#interfaces/web/settings/index.ts';
import { authorizePath, Browser, locationOf, registerApp } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { type Answer, startTestServer, type TestServer } from '../support/server.ts';
import { alertOf, doneOf } from './support.ts';

describe('The account pages', () => {
  let server: TestServer;

  before(async () => {
    server = await startTestServer();
    await server.user('alice');
  });
  after(() => server.close());

  const signIn = async (
    path = '/auth/sign_in',
    login = 'alice',
  ): Promise<{ browser: Browser; answer: Answer }> => {
    const browser = new Browser(server);
    await browser.open(path);
    const answer = await browser.submit('/auth/sign_in', { login, password: `correct horse ${login}` });
    return { browser, answer };
  };

  it('forbid caches, frames, forms to other sites, and scripts besides that of the web client', async () => {
    const { browser } = await signIn();
    for (const [visitor, path, scripts] of [
      [new Browser(server), '/auth/sign_in', []],
      [browser, '/settings', [script.path]],
    ] as const) {
      const { status, headers, body } = await visitor.open(path);
      expect(status, path).to.equal(200);
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
      expect(headers.get('content-security-policy'))
        .to.contain("default-src 'none'")
        .and.to.contain("form-action 'self'")
        .and.to.contain("frame-ancestors 'none'")
        .and.not.to.contain('unsafe');
      const page = load(body as string);
      expect(page.all('script').map(({ attributes, text }) => attributes['src'] ?? text)).to.deep.equal(
        scripts,
      );
      expect(page.meta('robots')).to.contain('noindex');
      expect(body).not.to.contain('style="');
    }
  });

  it('lead to sign-in and back to the requested page', async () => {
    const browser = new Browser(server);
    const away = await browser.open('/settings?done=password');
    expect(away.status).to.equal(303);
    const { searchParams, pathname } = new URL(locationOf(away), server.url);
    expect([pathname, searchParams.get('return_to')]).to.deep.equal([
      '/auth/sign_in',
      '/settings?done=password',
    ]);
    await browser.open(locationOf(away));
    const wrong = await browser.submit('/auth/sign_in', { login: 'alice', password: 'wrong' });
    expect(wrong.status).to.equal(422);
    expect(alertOf(wrong)).to.equal('The e-mail address, the username or the password is wrong.');
    expect(load(wrong.body as string).one('input', { name: 'login' })?.attributes['value']).to.equal('alice');
    const back = await browser.submit('/auth/sign_in', { login: 'alice', password: 'correct horse alice' });
    expect([back.status, locationOf(back)]).to.deep.equal([303, '/settings?done=password']);
    const { status, body } = await browser.open(locationOf(back));
    expect(status).to.equal(200);
    expect(load(body as string).one('h1')?.text).to.equal('Settings');
    expect(locationOf(await browser.open('/auth/sign_in?return_to=%2Fsettings'))).to.equal('/settings');
  });

  for (const elsewhere of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/',
    '/%2fevil.example',
  ]) {
    it(`never lead to ${elsewhere} (GHSA-xqw8-4j56-5hj6)`, async () => {
      const { answer, browser } = await signIn(`/auth/sign_in?return_to=${encodeURIComponent(elsewhere)}`);
      expect(locationOf(answer)).to.equal('/home');
      const signedIn = await browser.open(`/auth/sign_in?return_to=${encodeURIComponent(elsewhere)}`);
      expect(locationOf(signedIn)).to.equal('/home');
      const other = new Browser(server);
      await other.open('/auth/sign_in');
      const planted = { login: 'alice', password: 'correct horse alice', return_to: elsewhere };
      expect(locationOf(await other.submit('/auth/sign_in', planted))).to.equal('/home');
    });
  }

  it('share their sessions with the OAuth pages', async () => {
    const app = await registerApp(server);
    const { browser } = await signIn();
    expect((await browser.open(authorizePath(app))).body).to.contain('name="decision"');
    await browser.send('sign_out');
    expect((await browser.open('/settings')).status).to.equal(303);
  });

  it('start a new session at sign-in and end it at sign-out', async () => {
    const browser = new Browser(server);
    await browser.open('/auth/sign_in');
    const [planted] = browser.cookies.values();
    await browser.submit('/auth/sign_in', { login: 'alice', password: 'correct horse alice' });
    const cookies = new Map(browser.cookies);
    expect([...cookies.values()]).not.to.include(planted);
    await browser.open('/settings');
    const out = await browser.submit('/auth/sign_out');
    expect(locationOf(out)).to.equal('/auth/sign_in?done=signed_out');
    expect(doneOf(await browser.open(locationOf(out)))).to.contain('signed out');
    const thief = new Browser(server);
    for (const [name, value] of cookies) thief.cookies.set(name, value);
    expect((await thief.open('/settings')).status).to.equal(303);
  });

  it("refuse a form without this browser's CSRF token and change nothing", async () => {
    const { browser } = await signIn();
    const { browser: other } = await signIn();
    const forms = accountPages.filter(({ submit }) => submit !== undefined);
    expect(forms).not.to.have.length(0);
    const page = load((await other.open('/settings')).body as string);
    const foreign = page.one('input', { name: 'csrf_token' })?.attributes['value'] ?? '';
    expect(foreign).to.match(/^[\w-]{86}$/);
    const before = await server.app.log.head();
    for (const { path } of forms) {
      for (const csrf_token of [undefined, '', 'wrong', foreign]) {
        const answer = await browser.post(path, { csrf_token, password: 'correct horse alice' });
        expect(answer.status, path).to.equal(403);
        expect(alertOf(answer)).to.match(/Nothing (has been changed|was sent yet)/);
      }
    }
    await server.waitUntilIdle();
    expect(await server.app.log.head()).to.equal(before);
    expect((await browser.open('/settings')).status).to.equal(200);
  });

  it("are found at Mastodon's addresses", async () => {
    const { browser } = await signIn();
    for (const [path, now] of [
      ['/auth/edit', '/settings/security'],
      ['/.well-known/change-password', '/settings/security'],
      ['/oauth/authorized_applications', '/settings/applications'],
      ['/settings/two_factor_authentication_methods', '/settings/two-factor'],
    ] as const) {
      expect(locationOf(await browser.open(path))).to.equal(now);
      expect((await browser.open(now)).status).to.equal(200);
    }
  });

  it('refuse malformed forms', async () => {
    const { browser } = await signIn();
    const nested = await browser.post('/auth/sign_in', { 'login[a]': 'b' });
    expect(nested.status).to.equal(400);
    const before = await server.app.log.head();
    const { status } = await server.call('POST', '/auth/sign_in', {
      body: 'x',
      headers: { 'Content-Type': 'text/plain' },
    });
    expect(status).to.equal(403);
    expect(await server.app.log.head()).to.equal(before);
  });

  it('tell unconfirmed and disabled users why they cannot enter, and let them sign out', async () => {
    await server.user('newcomer', { confirmed: false });
    const { answer } = await signIn('/auth/sign_in', 'newcomer');
    expect(answer.status).to.equal(403);
    expect(alertOf(answer)).to.contain('confirm your e-mail address');

    const mallory = await server.user('mallory');
    const { browser } = await signIn('/auth/sign_in', 'mallory');
    const ctx = server.app.systemContext('tests');
    const disabled: AccountEvent = { type: 'UserDisabled', data: { account_id: mallory.id } };
    await ctx.execute(accountStream(mallory.id), account, () => [disabled]);
    await ctx.waitForReadModels();
    const refused = await browser.open('/settings');
    expect(refused.status).to.equal(403);
    expect(alertOf(refused)).to.contain('has been disabled');
    expect((await browser.submit('/auth/sign_out')).status).to.equal(303);
    expect((await browser.open('/settings')).status).to.equal(303);
  });
});

describe('The account pages in limited federation mode', () => {
  it('are available as usual', async () => {
    const server = await startTestServer({ LIMITED_FEDERATION_MODE: 'true' });
    await server.user('alice');
    const browser = new Browser(server);
    expect((await browser.open('/auth/sign_in')).status).to.equal(200);
    await browser.submit('/auth/sign_in', { login: 'alice', password: 'correct horse alice' });
    expect((await browser.open('/settings')).status).to.equal(200);
    await server.close();
  });
});

describe('Guessing passwords on the account pages', function () {
  // Each guess is hashed, which is slow on purpose.
  this.timeout(60_000);
  it('is stopped after some attempts with status 429', async () => {
    const server = await startTestServer({ RATE_LIMITS: 'on', RATE_LIMIT_EXEMPT_LOOPBACK: 'off' });
    const browser = new Browser(server);
    await browser.open('/auth/sign_in');
    let answer = await browser.submit('/auth/sign_in', { login: 'alice', password: 'guess' });
    for (let attempt = 1; attempt <= 40 && answer.status === 422; attempt += 1) {
      answer = await browser.submit('/auth/sign_in', { login: 'alice', password: `guess ${attempt}` });
    }
    expect(answer.status).to.equal(429);
    expect(alertOf(answer)).to.contain('Too many attempts');
    expect(Number(answer.headers.get('retry-after'))).to.be.greaterThan(0);
    await server.close();
  });
});

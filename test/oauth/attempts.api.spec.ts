import { expect } from 'chai';
import { countAttempt } from '#interfaces/oauth/attempts.ts';
import { createSessions } from '#interfaces/oauth/sessions.ts';
import { alertOf, signedIn } from '../account-pages/support.ts';
import { eventually } from '../support/eventually.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { Browser, registerApp } from './client.ts';

describe('Counting attempts of a password', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  /** Counts an attempt for each login. Returns the counted keys besides the address. */
  const counted = async (...logins: string[]): Promise<string[]> => {
    const keys: string[] = [];
    const limit = async (_kind: string, key: string): Promise<void> => void keys.push(key);
    const { db, users } = server.app;
    const sessions = createSessions(db, { secret: Buffer.alloc(32), https: false });
    for (const login of logins)
      await countAttempt({ db, users, limit, sessions }, { ip: '192.0.2.1', login });
    expect(keys.filter((key) => key === 'ip:192.0.2.1')).to.have.length(logins.length);
    return [...new Set(keys.filter((key) => !key.startsWith('ip:')))];
  };

  it('counts the name, the e-mail address and other spellings of an account together', async () => {
    const { id } = await server.user('alice');
    const [row] = await server.app.db.query<{ email: string }>(
      'select email from users where account_id = $1',
      [id],
    );
    const { email = '' } = row ?? {};
    expect(email).to.contain('alice');
    const spellings = ['alice', ' ALICE ', email, email.toUpperCase()];
    expect(await counted(...spellings)).to.deep.equal([`account:${id}`]);
    // The collation decides whether the database treats these as one name. An account is counted by its id,
    // never by the text.
    const [byName = '', byAddress = ''] = await counted('al\u0130ce', email.replace('alice', 'al\u0130ce'));
    expect(byName).to.be.oneOf([`account:${id}`, 'login:alice']);
    expect(byAddress === '' || byAddress.startsWith('login:alice-')).to.equal(true);
  });

  it('counts the spellings of a login without an account together', async () => {
    expect(await counted('nemo', 'NEMO', '\uFF2E\uFF25\uFF2D\uFF2F', 'nem\u00F3')).to.deep.equal([
      'login:nemo',
    ]);
  });
});

describe('Wrong passwords of a stranger', function () {
  this.timeout(60_000);
  const PROXY = { RATE_LIMITS: 'on', TRUSTED_PROXY_IP: '127.0.0.0/8', OAUTH_PASSWORD_GRANT: 'on' };
  const DEVICE = '__Host-rookery_device';
  let server: TestServer;
  let place = 0;
  before(async () => {
    server = await startTestServer(PROXY);
  });
  after(() => server.close());

  const from = (ip: string): Browser => new Browser(server, { 'X-Forwarded-For': ip });
  const elsewhere = (): string => `203.0.113.${(place += 1)}`;
  const attempt = async (browser: Browser, login: string, password: string): Promise<number> => {
    await browser.open('/auth/sign_in');
    return (await browser.submit('/auth/sign_in', { login, password })).status;
  };
  const signOut = async (browser: Browser): Promise<void> => {
    await browser.open('/auth/sign_out');
    expect((await browser.submit('/auth/sign_out')).status).to.equal(303);
  };
  /** Guesses from one address until it is refused. Returns how many guesses were checked. */
  const guessAll = async (login: string, browser: Browser): Promise<number> => {
    for (let guesses = 0; guesses < 60; guesses += 1) {
      if ((await attempt(browser, login, `guess ${guesses}`)) === 429) return guesses;
    }
    return expect.fail('never refused');
  };
  /** Signs in at home, and waits until the address is known. */
  const person = async (name: string): Promise<{ id: string; browser: Browser; home: string }> => {
    const { id } = await server.user(name);
    const home = elsewhere();
    const browser = from(home);
    expect(await attempt(browser, name, `correct horse ${name}`)).to.equal(303);
    await eventually(async () => {
      const known = await server.app.db.query(
        'select 1 from durable.account_addresses where account_id = $1 and ip = $2',
        [id, home],
      );
      expect(known).to.have.length(1);
    });
    return { id, browser, home };
  };

  it('are refused after twenty, also from further addresses, for logins with and without an account', async () => {
    await person('alice');
    // The sign-in itself was the first of the twenty.
    expect(await guessAll('alice', from(elsewhere()))).to.equal(19);
    expect(await guessAll('alice', from(elsewhere()))).to.equal(0);
    expect(await guessAll('unknown_name', from(elsewhere()))).to.equal(20);
    expect(await guessAll('unknown_name', from(elsewhere()))).to.equal(0);
  });

  it('leave a browser that signed in before its own attempts, wherever it is', async () => {
    const { browser, home } = await person('bob');
    await signOut(browser);
    await guessAll('bob', from(elsewhere()));
    await guessAll('bob', from(home));
    browser.headers['X-Forwarded-For'] = elsewhere();
    expect(await attempt(browser, 'bob', 'mistyped')).to.equal(422);
    expect(await attempt(browser, 'bob', 'correct horse bob')).to.equal(303);
  });

  it('leave an address where the account was used before some attempts, also of apps', async () => {
    const { home } = await person('carol');
    await guessAll('carol', from(elsewhere()));
    const { client_id, client_secret } = await registerApp(server);
    const signIn = (password: string) =>
      server.call('POST', '/oauth/token', {
        headers: { 'X-Forwarded-For': home },
        body: {
          client_id,
          client_secret,
          grant_type: 'password',
          username: 'carol',
          password,
          scope: 'read',
        },
      });
    expect((await signIn('mistyped')).status).to.equal(400);
    const { status, body } = await signIn('correct horse carol');
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(await attempt(from(home), 'carol', 'correct horse carol')).to.equal(303);
  });

  it('get no more guesses altogether, also from an address that the account uses', async () => {
    const { home } = await person('dan');
    const neighbour = await guessAll('dan', from(home));
    expect(neighbour).to.be.at.most(25);
    const others = await guessAll('dan', from(elsewhere()));
    const more = await guessAll('dan', from(elsewhere()));
    expect(neighbour + others + more).to.be.at.most(25);
  });

  it('do not keep a signed-in user from confirming a step by the password', async () => {
    const { browser, home } = await person('erin');
    await guessAll('erin', from(elsewhere()));
    await guessAll('erin', from(home));
    const change = async (current_password: string) => {
      await browser.open('/settings/security');
      const fields = { current_password, email: 'erin@new.example' };
      return browser.submit('/settings/security', fields, 'value="email"');
    };
    expect(alertOf(await change('mistyped'))).to.equal('The current password is wrong.');
    expect((await change('correct horse erin')).status).to.equal(303);
    const statuses = [];
    for (let guess = 0; guess < 12; guess += 1) statuses.push((await change('mistyped')).status);
    expect(statuses.slice(-3)).to.deep.equal([429, 429, 429]);
  });

  it('are not let through by the cookie of another account, a forged one, or one from before a new password', async () => {
    const { id, browser } = await person('fay');
    const { browser: other } = await person('gus');
    const cookieOf = (each: Browser): string => each.cookies.get(DEVICE) ?? '';
    const old = cookieOf(browser);
    expect(old).to.match(/^[\w-]{22}\.[\w-]{22}$/);
    await server.app.contextDependencies.services.credentials.setPassword(id, 'another horse');
    await guessAll('fay', from(elsewhere()));
    const [name = '', mark = ''] = cookieOf(other).split('.');
    for (const cookie of [old, cookieOf(other), `${name}.${mark.replace(/^./, '_')}`, 'x', `${name}.`, '']) {
      const stranger = from(elsewhere());
      stranger.cookies.set(DEVICE, cookie);
      expect(await attempt(stranger, 'fay', 'guess'), cookie).to.equal(429);
    }
  });

  it('are bounded for a known browser too', async () => {
    const { browser } = await person('hal');
    await signOut(browser);
    browser.headers['X-Forwarded-For'] = elsewhere();
    // Its own five, then those of strangers, the first of which was the sign-in.
    expect(await guessAll('hal', browser)).to.equal(24);
  });

  it('leave a browser that is known for several accounts each of them', async () => {
    const { browser } = await person('ivy');
    await server.user('jay');
    await signOut(browser);
    await attempt(browser, 'jay', 'correct horse jay');
    expect(browser.cookies.get(DEVICE)?.split('.')).to.have.length(3);
    const both = await signedIn(server, 'jay');
    expect(both.cookies.get(DEVICE)?.split('.')).to.have.length(2);
    await guessAll('ivy', from(elsewhere()));
    const away = from(elsewhere());
    away.cookies.set(DEVICE, browser.cookies.get(DEVICE) ?? '');
    expect(await attempt(away, 'ivy', 'correct horse ivy')).to.equal(303);
  });
});

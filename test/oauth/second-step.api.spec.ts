import { expect } from 'chai';
import { totpCode } from '#commands/accounts/index.ts';
import { addressOf, alertOf, doneOf, headingOf, pathsMailedTo } from '../account-pages/support.ts';
import { load } from '../pages/parse.ts';
import { pushed } from '../push/support.ts';
import { rookeryBeside } from '../support/command-line.ts';
import { textsMailedTo } from '../support/mails.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { type Authenticator, withTwoFactor } from '../support/two-factor.ts';
import { answerOf, authorizePath, Browser, locationOf, registerApp, type TestApp } from './client.ts';

const WRONG = 'The code is wrong, or was used already.';
const AGAIN = 'This took too long, or something was changed meanwhile. Please sign in again.';

/** The two places where users sign in. Both must ask for the code. */
interface Door {
  name: string;
  /** Opens the page and submits the password. */
  enter: (browser: Browser, login: string, password?: string) => Promise<Answer>;
  code: (browser: Browser, code: string, more?: Record<string, string>) => Promise<Answer>;
  /** Returns the problem that the page shows. */
  problem: (answer: Answer) => string | undefined;
}

describe('The second step of signing in', function () {
  this.timeout(60_000);
  let server: TestServer;
  let app: TestApp;
  let alice: TestUser;
  let phone: Authenticator;
  let browser: Browser;
  let count = 0;

  before(async () => {
    server = await startTestServer({ OAUTH_PASSWORD_GRANT: 'true' });
    app = await registerApp(server);
  });
  after(() => server.close());
  beforeEach(async () => {
    alice = await server.user(`alice${(count += 1)}`);
    phone = await withTwoFactor(server.app, alice.id);
    browser = new Browser(server);
  });

  const passwordOf = (login: string): string => `correct horse ${login}`;
  const forApps: Door = {
    name: '/oauth/authorize',
    enter: async (each, login, password = passwordOf(login)) => {
      const page = await each.open(authorizePath(app));
      if (headingOf(page) === 'Enter a code') {
        await each.open(locationOf(await each.send('sign_out')));
      }
      const answer = await each.send('sign_in', { login, password });
      return answer.status === 303 ? each.open(locationOf(answer)) : answer;
    },
    code: (each, code, more = {}) => each.send('second_step', { code, ...more }),
    problem: ({ body }) =>
      load(body as string)
        .one('p', { role: 'alert' })
        ?.text.trim(),
  };
  const forSettings: Door = {
    name: '/auth/sign_in',
    enter: async (each, login, password = passwordOf(login)) => {
      await each.open('/auth/sign_in?return_to=/settings/security');
      const answer = await each.submit('/auth/sign_in', { login, password });
      return answer.status === 303 ? each.open(locationOf(answer)) : answer;
    },
    code: (each, code, more = {}) => each.submit('/auth/second_step', { code, ...more }),
    problem: alertOf,
  };
  /** Tells whether that browser gets any further on either way. */
  const isIn = async (each: Browser): Promise<boolean> => {
    const settings = (await each.open('/settings')).status === 200;
    const { body } = await each.open(authorizePath(app));
    const consent = (body as string).includes('value="approve"');
    expect(consent).to.equal(settings);
    return settings;
  };
  const sessions = (): Promise<unknown[]> =>
    server.app.db.query('select 1 from durable.sessions where account_id = $1', [alice.id]);

  it('tells the owner about wrong codes by mail, once an hour', async () => {
    const subjects = async (): Promise<string[]> => {
      await pushed(server);
      const texts = await textsMailedTo(await addressOf(server, alice.id), server.app.config.dataDir);
      return texts.flatMap((text) => /^Subject: (.*wrong code.*)$/m.exec(text)?.[1] ?? []);
    };
    for (const door of [forApps, forSettings]) {
      await door.enter(browser, alice.username);
      for (const code of ['000000', '000001'])
        expect(door.problem(await door.code(browser, code))).to.equal(WRONG);
    }
    expect(await subjects()).to.deep.equal(['Somebody gave a wrong code when signing in on rookery.example']);
    await server.app.db.query(`update durable.bounded_mails set since = since - interval '61 minutes'`);
    await forApps.enter(browser, alice.username);
    await forApps.code(browser, '000002');
    expect(await subjects()).to.have.length(2);
  });

  for (const door of [forApps, forSettings]) {
    describe(`at ${door.name}`, () => {
      it('accepts a code of the app after the password, and continues to the destination', async () => {
        const step = await door.enter(browser, alice.username);
        expect([step.status, headingOf(step)]).to.deep.equal([200, 'Enter a code']);
        expect(step.body).not.to.contain('type="password"');
        const answer = await door.code(browser, phone.code);
        expect(answer.status).to.equal(303);
        expect(locationOf(answer)).to.match(/^\/(settings\/security|oauth\/authorize\?.*)$/);
        expect(await isIn(browser)).to.equal(true);
        // The same holds for the next attempt.
        const other = new Browser(server);
        expect(headingOf(await door.enter(other, alice.username))).to.equal('Enter a code');
      });

      it('accepts a recovery code once, and tells the owner by mail', async () => {
        const [code = ''] = phone.recoveryCodes;
        await door.enter(browser, alice.username);
        expect((await door.code(browser, code.toUpperCase())).status).to.equal(303);
        expect(await isIn(browser)).to.equal(true);
        const thief = new Browser(server);
        await door.enter(thief, alice.username);
        const again = await door.code(thief, code);
        expect([again.status, door.problem(again)]).to.deep.equal([422, WRONG]);
        await server.waitUntilIdle();
        await pushed(server);
        const mails = await textsMailedTo(await addressOf(server, alice.id), server.app.config.dataDir);
        const [told] = mails.filter((mail) => mail.includes('A recovery code was used'));
        expect(told).to.contain('are left: 9');
        expect(mails.join()).not.to.contain(code);
      });

      it('refuses a repeated code and a wrong one with the same text', async () => {
        await door.enter(browser, alice.username);
        expect((await door.code(browser, phone.code)).status).to.equal(303);
        const thief = new Browser(server);
        await door.enter(thief, alice.username);
        const before = await server.app.log.head();
        const far = totpCode(phone.secret, new Date(Date.now() + 3_600_000).toISOString());
        for (const code of [phone.code, far, '', 'nonsense', '٠١٢٣٤٥', 'x'.repeat(5_000)]) {
          const answer = await door.code(thief, code);
          expect([answer.status, door.problem(answer)], code).to.deep.equal([422, WRONG]);
          expect(headingOf(answer)).to.equal('Enter a code');
        }
        expect(await isIn(thief)).to.equal(false);
        await server.waitUntilIdle();
        expect(await server.app.log.head()).to.equal(before);
      });

      it('signs the user in only after the second step', async () => {
        const before = (await sessions()).length;
        await door.enter(browser, alice.username);
        expect(await sessions()).to.have.length(before);
        expect(await isIn(browser)).to.equal(false);
        // Sends the forms of a signed-in user without a session.
        await browser.open(authorizePath(app));
        const consent = await browser.send('second_step', { step: 'consent', decision: 'approve' });
        expect(locationOf(consent)).to.match(/^\/oauth\/authorize\?/);
        await browser.open('/auth/second_step');
        const { username } = alice;
        for (const path of ['/settings/two-factor', '/settings/security', '/settings/delete']) {
          const form = { csrf_token: csrfOf(await browser.open('/auth/second_step')) };
          const fields = { ...form, step: 'begin', current_password: passwordOf(username) };
          const answer = await browser.post(path, fields);
          expect([answer.status, locationOf(answer)]).to.deep.equal([
            303,
            `/auth/sign_in?return_to=${encodeURIComponent(path)}`,
          ]);
        }
      });

      it('refuses the code of another user', async () => {
        const mallory = await server.user(`mallory${count}`);
        const own = await withTwoFactor(server.app, mallory.id);
        await door.enter(browser, alice.username);
        for (const more of [
          {},
          { login: mallory.username },
          { account_id: mallory.id, login: mallory.username, password: passwordOf(mallory.username) },
        ]) {
          for (const code of [own.code, own.recoveryCodes[0]!]) {
            const answer = await door.code(browser, code, more);
            expect([answer.status, door.problem(answer)]).to.deep.equal([422, WRONG]);
          }
        }
        expect(await isIn(browser)).to.equal(false);
        // A new first step by another user requires that user's code.
        await door.enter(browser, mallory.username);
        expect((await door.code(browser, phone.code)).status).to.equal(422);
        expect((await door.code(browser, own.code)).status).to.equal(303);
        const { body } = await browser.open('/settings');
        expect(body).to.contain(`@${mallory.username}@`).and.not.to.contain(`@${alice.username}@`);
      });

      it('expires after five minutes', async () => {
        await door.enter(browser, alice.username);
        const [{ seconds } = { seconds: 0 }] = await server.app.db.query<{ seconds: number }>(
          `select extract(epoch from expires_at - now())::float8 as seconds from durable.sign_in_steps
           where account_id = $1`,
          [alice.id],
        );
        expect(seconds).to.be.within(200, 300);
        await server.app.db.query(
          `update durable.sign_in_steps set expires_at = now() - interval '1 second' where account_id = $1`,
          [alice.id],
        );
        await expectBeginAgain(door, browser, await door.code(browser, phone.code));
        expect(await isIn(browser)).to.equal(false);
        // The refused attempt did not use the code up.
        await door.enter(browser, alice.username);
        expect((await door.code(browser, phone.code)).status).to.equal(303);
      });

      it('ends with a new password, and when the browser goes back', async () => {
        await door.enter(browser, alice.username);
        const modify = ['accounts', 'modify', alice.username, '--reset-password'];
        const { stdout } = await rookeryBeside(server.app, ...modify);
        const password = /New password: (\S+)/.exec(stdout)?.[1] ?? '';
        await expectBeginAgain(door, browser, await door.code(browser, phone.code));
        expect(await isIn(browser)).to.equal(false);
        // A new password does not turn the second factor off.
        const step = await door.enter(browser, alice.username, password);
        expect(headingOf(step)).to.equal('Enter a code');
        await browser.open('/auth/sign_out');
        await browser.submit('/auth/sign_out');
        await browser.open(authorizePath(app));
        expect(await isIn(browser)).to.equal(false);
        expect((await browser.open('/auth/second_step')).status).to.equal(303);
      });

      it('is skipped when the second factor was disabled in the meantime, and refuses a disabled user', async () => {
        await door.enter(browser, alice.username);
        await rookeryBeside(server.app, 'accounts', 'modify', alice.username, '--disable-2fa');
        await expectBeginAgain(door, browser, await door.code(browser, phone.code));
        await door.enter(browser, alice.username);
        expect(await isIn(browser)).to.equal(true);

        const bob = await server.user(`bob${count}`);
        const { code } = await withTwoFactor(server.app, bob.id);
        const other = new Browser(server);
        await door.enter(other, bob.username);
        await rookeryBeside(server.app, 'accounts', 'modify', bob.username, '--disable');
        await door.code(other, code);
        expect(await isIn(other)).to.equal(false);
      });

      it('accepts one code at a time', async () => {
        const browsers = await Promise.all(
          Array.from({ length: 4 }, async () => {
            const each = new Browser(server);
            await door.enter(each, alice.username);
            return each;
          }),
        );
        const [code = ''] = phone.recoveryCodes;
        const answers = await Promise.all(browsers.map((each) => door.code(each, code)));
        expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, 422, 422, 422]);
      });

      it('creates new ids of the browser, so that a planted one is worthless', async () => {
        await door.enter(browser, alice.username);
        const [planted] = browser.cookies;
        await door.code(browser, phone.code);
        const thief = new Browser(server);
        thief.cookies.set(...planted!);
        expect(await isIn(thief)).to.equal(false);
        expect(await isIn(browser)).to.equal(true);
      });
    });
  }

  it('is repeated for an app that requests a fresh sign-in', async () => {
    const bob = await server.user(`bob${count}`);
    await forApps.enter(browser, bob.username);
    expect(await isIn(browser)).to.equal(true);
    await browser.open(authorizePath(app, { force_login: 'true' }));
    const answer = await browser.send('sign_in', {
      login: alice.username,
      password: passwordOf(alice.username),
    });
    const step = await browser.open(locationOf(answer));
    expect(headingOf(step)).to.equal('Enter a code');
    expect(await isIn(browser)).to.equal(false);
    await browser.open(authorizePath(app));
    await forApps.code(browser, phone.code);
    await browser.open(authorizePath(app));
    const { code = '' } = answerOf(await browser.send('consent', { decision: 'approve' }));
    const { client_id, client_secret } = app;
    const body = { grant_type: 'authorization_code', code, client_id, client_secret };
    const redirect_uri = 'https://app.example/callback';
    const token = await server.call('POST', '/oauth/token', { body: { ...body, redirect_uri } });
    const { body: me } = await server.call('GET', '/api/v1/accounts/verify_credentials', {
      token: token.body.access_token,
    });
    expect(me.username).to.equal(alice.username);
  });

  it('is not skipped by a new password that was set by mail', async () => {
    const email = await addressOf(server, alice.id);
    await browser.open('/auth/password/new');
    await browser.submit('/auth/password/new', { email });
    const paths = await pathsMailedTo(server, email);
    await browser.open(paths.find((path) => path.startsWith('/auth/password/edit')) ?? '');
    const password = 'another battery staple';
    const fields = { password, password_confirmation: password };
    const done = await browser.submit('/auth/password/edit', fields);
    expect(done.status).to.equal(303);
    expect(doneOf(await browser.open(locationOf(done)))).to.contain('Your password is changed');
    expect(await isIn(browser)).to.equal(false);
    expect(headingOf(await forSettings.enter(browser, alice.username, password))).to.equal('Enter a code');
    expect((await forSettings.code(browser, phone.code)).status).to.equal(303);
  });

  it('makes the password grant fail, which has no parameter for a code', async () => {
    const ask = (username: string, password: string) =>
      server.call('POST', '/oauth/token', {
        body: {
          grant_type: 'password',
          client_id: app.client_id,
          client_secret: app.client_secret,
          scope: 'read',
          username,
          password,
        },
      });
    const { status, body } = await ask(alice.username, passwordOf(alice.username));
    expect([status, body.error]).to.deep.equal([400, 'invalid_grant']);
    expect(body.error_description).to.contain('two-factor');
    expect((await ask(alice.username, 'wrong')).body.error_description).not.to.contain('two-factor');
    const bob = await server.user(`bob${count}`);
    expect((await ask(bob.username, passwordOf(bob.username))).status).to.equal(200);
  });

  it('is refused without a first step, and redirects to local paths only', async () => {
    expect(locationOf(await browser.open('/auth/second_step?return_to=/settings'))).to.equal(
      '/auth/sign_in?return_to=%2Fsettings',
    );
    await forSettings.enter(browser, alice.username);
    await browser.open('/auth/second_step?return_to=//evil.example');
    expect(locationOf(await forSettings.code(browser, phone.code, { return_to: '//evil.example' }))).to.equal(
      '/home',
    );
    const stranger = new Browser(server);
    await stranger.open('/auth/sign_in');
    const forged = await stranger.submit('/auth/sign_in', { login: 'x', password: 'x' });
    expect(forged.status).to.equal(422);
    const answer = await stranger.post('/auth/second_step', { code: phone.recoveryCodes[1]! });
    expect(answer.status).to.equal(403);
  });

  /** Expects no signed-in user, and this reason on the page. */
  async function expectBeginAgain(door: Door, each: Browser, answer: Answer): Promise<void> {
    if (door === forApps) {
      expect([answer.status, door.problem(answer), headingOf(answer)]).to.deep.equal([422, AGAIN, 'Sign in']);
    } else {
      expect(locationOf(answer)).to.match(/^\/auth\/sign_in\?/);
      const page = await each.open(locationOf(answer));
      expect([doneOf(page), headingOf(page)]).to.deep.equal([AGAIN, 'Sign in']);
    }
  }
});

describe('Guessing codes', function () {
  this.timeout(60_000);

  it('is stopped for the account, on whatever page', async () => {
    const server = await startTestServer({ RATE_LIMITS: 'on', RATE_LIMIT_EXEMPT_LOOPBACK: 'off' });
    const app = await registerApp(server);
    const { id } = await server.user('alice');
    const phone = await withTwoFactor(server.app, id);
    const browser = new Browser(server);
    await browser.open(authorizePath(app));
    const login = await browser.send('sign_in', { login: 'alice', password: 'correct horse alice' });
    await browser.open(locationOf(login));
    let answer = await browser.send('second_step', { code: '000000' });
    for (let tries = 1; tries < 30 && answer.status === 422; tries += 1) {
      answer = await browser.send('second_step', { code: `00000${tries % 10}` });
    }
    expect(answer.status).to.equal(429);
    expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 1_800);
    expect(answer.body).to.contain('Too many attempts');
    expect(headingOf(answer)).to.equal('Enter a code');
    // The right code has to wait as well, on both pages.
    expect((await browser.send('second_step', { code: phone.code })).status).to.equal(429);
    await browser.open('/auth/second_step');
    const other = await browser.submit('/auth/second_step', { code: phone.code });
    expect([other.status, alertOf(other)]).to.deep.equal([
      429,
      'Too many attempts. Please wait a while before you try again.',
    ]);
    expect(other.headers.get('retry-after')).to.match(/^\d+$/);
    await server.close();
  });
});

const csrfOf = ({ body }: Answer): string =>
  load(body as string).one('input', { name: 'csrf_token' })?.attributes['value'] ?? '';

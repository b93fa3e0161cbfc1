import { expect } from 'chai';
import { Browser } from '../oauth/client.ts';
import { pushed } from '../push/support.ts';
import { textsMailedTo } from '../support/mails.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import {
  addressOf,
  alertOf,
  doneOf,
  follow,
  headingOf,
  inMain,
  isTokenGood,
  pathsMailedTo,
  signedIn,
} from './support.ts';

const SECURITY = '/settings/security';
const NEW = 'correct battery staple';

describe('The security settings', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let password: string;
  let email: string;
  let browser: Browser;
  let count = 0;

  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());
  beforeEach(async () => {
    alice = await server.user(`user${(count += 1)}`);
    password = `correct horse ${alice.username}`;
    email = await addressOf(server, alice.id);
    browser = await signedIn(server, alice.username);
    await browser.open(SECURITY);
  });

  const send = (step: string, fields: Record<string, string>): Promise<Answer> =>
    browser.submit(SECURITY, fields, `name="step" value="${step}"`);
  const setPassword = (current: string, next = NEW, again = next): Promise<Answer> =>
    send('password', { current_password: current, password: next, password_confirmation: again });
  const askFor = (address: string, current = password): Promise<Answer> =>
    send('email', { email: address, current_password: current });

  describe('for the password', () => {
    it('require the current one and end all other sessions and all tokens', async () => {
      const other = await signedIn(server, alice.username);
      const before = new Map(browser.cookies);
      const answer = await setPassword(password);
      expect(doneOf(await follow(browser, answer))).to.contain('Your password is changed');
      expect(await isTokenGood(server, alice.token)).to.equal(false);
      expect((await other.open('/settings')).status).to.equal(303);
      const thief = new Browser(server);
      for (const [name, value] of before) thief.cookies.set(name, value);
      expect((await thief.open('/settings')).status).to.equal(303);
      await signedIn(server, alice.username, NEW);
    });

    it('change nothing after a wrong current password or an invalid new one', async () => {
      const before = await server.app.log.head();
      for (const [answer, problem] of [
        [await setPassword('wrong'), 'The current password is wrong.'],
        [await setPassword(''), 'The current password is wrong.'],
        [await setPassword('x'.repeat(2_000)), 'The current password is wrong.'],
        [await setPassword(password, NEW, 'another'), 'The two new passwords are not the same.'],
        [await setPassword(password, 'short'), 'The password is too short (minimum is 8 characters).'],
        [await send('password', { step: 'nonsense' }), 'The form is incomplete.'],
      ] as const) {
        expect([answer.status, alertOf(answer)]).to.deep.equal([422, problem]);
      }
      await server.waitUntilIdle();
      expect(await server.app.log.head()).to.equal(before);
      expect(await isTokenGood(server, alice.token)).to.equal(true);
      await signedIn(server, alice.username);
    });

    it('invalidate links that reset the password', async () => {
      await browser.open('/auth/password/new');
      await browser.submit('/auth/password/new', { email });
      const [link = ''] = await pathsMailedTo(server, email);
      expect((await browser.open(link)).status).to.equal(200);
      await browser.open(SECURITY);
      await follow(browser, await setPassword(password));
      expect((await browser.open(link)).status).to.equal(410);
    });
  });

  describe('for the e-mail address', () => {
    it('change it when the link mailed to the new address is opened, and notify the old one', async () => {
      const wanted = email.replace('@', '.new@');
      expect(doneOf(await follow(browser, await askFor(wanted.toUpperCase())))).to.contain('new address');
      const [link = ''] = await pathsMailedTo(server, wanted);
      expect(link).to.match(/^\/auth\/email\?confirmation_token=[\w-]{43}$/);
      const [notice = '', ...more] = await textsMailedTo(email, server.app.config.dataDir);
      expect(more).to.deep.equal([]);
      expect(notice).to.contain(wanted).and.to.contain('/settings/security');
      expect(await addressOf(server, alice.id)).to.equal(email);
      expect((await browser.open(SECURITY)).body).to.contain(wanted);

      const nobody = new Browser(server);
      expect(headingOf(await nobody.open(link))).to.equal('Confirmed');
      expect(await addressOf(server, alice.id)).to.equal(wanted);
      await signedIn(server, wanted, password);
      expect((await nobody.open(link)).status).to.equal(410);
      // The old address is free for another account.
      const bob = await server.user(`bob${count}`);
      browser = await signedIn(server, bob.username);
      await browser.open(SECURITY);
      await follow(browser, await askFor(email, `correct horse ${bob.username}`));
      expect((await pathsMailedTo(server, email)).some((path) => path.startsWith('/auth/email'))).to.equal(
        true,
      );
    });

    it('require the password and a new, valid address', async () => {
      const before = await server.app.log.head();
      for (const [answer, problem] of [
        [await askFor('new@example.org', 'wrong'), 'The current password is wrong.'],
        [await askFor('nonsense'), 'The e-mail address is invalid.'],
        [await askFor(email), 'The e-mail address is the one that you have.'],
      ] as const) {
        expect([answer.status, alertOf(answer)]).to.deep.equal([422, problem]);
      }
      await server.waitUntilIdle();
      expect(await server.app.log.head()).to.equal(before);
    });

    it('do not reveal that an address is taken, and send no link to it', async () => {
      const taken = await addressOf(server, (await server.user(`carol${count}`)).id);
      const answer = await follow(browser, await askFor(taken));
      expect(doneOf(answer)).to.contain('A mail is on its way');
      expect(await pathsMailedTo(server, taken)).to.deep.equal([]);
    });

    it('cancel a requested change when the password changes', async () => {
      const wanted = email.replace('@', '.thief@');
      await follow(browser, await askFor(wanted));
      const [link = ''] = await pathsMailedTo(server, wanted);
      await browser.open(SECURITY);
      await follow(browser, await setPassword(password));
      expect((await browser.open(link)).status).to.equal(410);
      expect(await addressOf(server, alice.id)).to.equal(email);
      expect((await browser.open(SECURITY)).body).not.to.contain(wanted);
    });

    it('give the address to the first of two accounts that confirm it', async () => {
      const wanted = email.replace('@', '.both@');
      const bob = await server.user(`bob${count}`);
      const other = await signedIn(server, bob.username);
      await other.open(SECURITY);
      await follow(browser, await askFor(wanted));
      const form = { email: wanted, current_password: `correct horse ${bob.username}` };
      await follow(other, await other.submit(SECURITY, form, 'value="email"'));
      const [first = '', second = ''] = await pathsMailedTo(server, wanted);
      const opened = [await browser.open(first), await browser.open(second)];
      expect(opened.map(({ status }) => status)).to.deep.equal([200, 410]);
    });
  });

  it('list the signed-in browsers and sign out the others', async () => {
    const other = await signedIn(server, alice.username);
    const listed = (answer: Answer): string[] =>
      inMain(answer, 'li').map(({ text }) => text.split(',')[0] ?? '');
    expect(listed(await browser.open(SECURITY))).to.deep.equal(['This browser', 'Another browser']);
    expect(listed(await follow(browser, await send('browsers', {})))).to.deep.equal(['This browser']);
    expect((await other.open('/settings')).status).to.equal(303);
    expect(await isTokenGood(server, alice.token)).to.equal(true);
  });

  it('leave no entry in the audit log', async () => {
    const owner = await server.user(`owner${count}`, { role: 'Owner', scopes: ['admin:read'] });
    const lines = async (): Promise<string[]> => {
      await pushed(server);
      const { body } = await server.call('GET', `/api/v1/admin/audit?target=${alice.id}`, {
        token: owner.token,
      });
      return (body as { action: string }[]).map(({ action }) => action);
    };
    const before = await lines();
    await follow(browser, await setPassword(password));
    password = NEW;
    await follow(browser, await askFor(email.replace('@', '.new@')));
    await browser.open((await pathsMailedTo(server, email.replace('@', '.new@'))).at(-1) ?? '');
    expect(await addressOf(server, alice.id)).to.equal(email.replace('@', '.new@'));
    expect(await lines()).to.deep.equal(before);
  });
});

describe('Guessing the current password', () => {
  it('is refused after ten attempts, which do not keep the owner from signing in elsewhere', async () => {
    const server = await startTestServer({ RATE_LIMITS: 'on', RATE_LIMIT_EXEMPT_LOOPBACK: 'off' });
    await server.user('alice');
    const browser = await signedIn(server, 'alice');
    await browser.open('/settings/delete');
    let answer = await browser.submit('/settings/delete', { current_password: 'guess' });
    let attempts = 1;
    for (; attempts <= 40 && answer.status === 422; attempts += 1) {
      answer = await browser.submit('/settings/delete', { current_password: `guess ${attempts}` });
    }
    expect([answer.status, attempts]).to.deep.equal([429, 11]);
    // The limit also applies to the right password.
    expect(
      (await browser.submit('/settings/delete', { current_password: 'correct horse alice' })).status,
    ).to.equal(429);
    const other = new Browser(server);
    await other.open('/auth/sign_in');
    const login = { login: 'alice', password: 'correct horse alice' };
    expect((await other.submit('/auth/sign_in', login)).status).to.equal(303);
    await server.close();
  });
});

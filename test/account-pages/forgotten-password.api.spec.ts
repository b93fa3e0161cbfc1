import { expect } from 'chai';
import { modifyUser, takeAction } from '#commands/accounts/index.ts';
import { authorizePath, Browser, locationOf, registerApp } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { textsMailedTo } from '../support/mails.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import {
  addressOf,
  alertOf,
  doneOf,
  follow,
  headingOf,
  isTokenGood,
  pathsMailedTo,
  signedIn,
} from './support.ts';

const NEW = 'correct battery staple';

describe('A forgotten password', function () {
  this.timeout(60_000);
  let server: TestServer;
  let count = 0;

  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const somebody = async (confirmed = true): Promise<TestUser & { email: string }> => {
    const user = await server.user(`user${(count += 1)}`, { confirmed });
    return { ...user, email: await addressOf(server, user.id) };
  };
  const ask = async (email: string, browser = new Browser(server)): Promise<Answer> => {
    await browser.open('/auth/password/new');
    return follow(browser, await browser.submit('/auth/password/new', { email }));
  };
  const linkFor = async (email: string): Promise<string> => {
    await ask(email);
    return (await pathsMailedTo(server, email)).at(-1) ?? '';
  };
  const set = (browser: Browser, password: string, again = password): Promise<Answer> =>
    browser.submit('/auth/password/edit', { password, password_confirmation: again });
  const canSignIn = async (login: string, password: string): Promise<boolean> => {
    const browser = new Browser(server);
    await browser.open('/auth/sign_in');
    return (await browser.submit('/auth/sign_in', { login, password })).status === 303;
  };

  it('is reset once by a mailed link, which ends all sessions and tokens', async () => {
    const alice = await somebody();
    const elsewhere = await signedIn(server, alice.username);
    await ask(alice.email.toUpperCase());
    const [link = ''] = await pathsMailedTo(server, alice.email);
    expect(link).to.match(/^\/auth\/password\/edit\?reset_password_token=[\w-]{43}$/);
    const [mail = ''] = await textsMailedTo(alice.email, server.app.config.dataDir);
    expect(mail).to.contain(`@${alice.username}`).and.to.contain('text/plain');

    const browser = new Browser(server);
    // Programs that preview links do no harm.
    for (let i = 0; i < 2; i += 1) expect(headingOf(await browser.open(link))).to.equal('Set a new password');
    for (const [password, again, problem] of [
      [NEW, 'something else', 'not the same'],
      ['short', 'short', 'too short (minimum is 8 characters)'],
      ['x'.repeat(1_001), 'x'.repeat(1_001), 'too long'],
    ] as const) {
      const answer = await set(browser, password, again);
      expect(answer.status).to.equal(422);
      expect(alertOf(answer)).to.contain(problem);
    }
    expect(await isTokenGood(server, alice.token)).to.equal(true);

    const done = await follow(browser, await set(browser, NEW));
    expect(doneOf(done)).to.contain('Your password is changed');
    expect(await canSignIn(alice.username, NEW)).to.equal(true);
    expect(await canSignIn(alice.username, `correct horse ${alice.username}`)).to.equal(false);
    expect(await isTokenGood(server, alice.token)).to.equal(false);
    expect((await elsewhere.open('/settings')).status).to.equal(303);

    await pathsMailedTo(server, alice.email);
    const told = await textsMailedTo(alice.email, server.app.config.dataDir);
    expect(told.filter((each) => each.includes('has a new password'))).to.have.length(1);

    const late = new Browser(server);
    const again = await late.open(link);
    expect(again.status).to.equal(410);
    expect(headingOf(again)).to.equal('This link does not work any more');
  });

  it('is reset by only one of two browsers that use the link at the same time', async () => {
    const { email } = await somebody();
    const link = await linkFor(email);
    const browsers = [new Browser(server), new Browser(server)];
    for (const browser of browsers) await browser.open(link);
    const answers = await Promise.all(browsers.map((browser) => set(browser, NEW)));
    expect(answers.map(({ status }) => status)).to.have.members([303, 410]);
  });

  it('leads to the same reply whether the address has an account or not', async () => {
    const { email } = await somebody();
    const known = await ask(email);
    const unknown = await ask('nobody@example.org');
    expect(doneOf(known)).to.contain('If somebody here has this e-mail address');
    const plain = (answer: Answer): string =>
      (answer.body as string).replaceAll(/name="csrf_token" value="[^"]*"/g, '');
    expect(plain(unknown)).to.equal(plain(known));
    expect(await pathsMailedTo(server, 'nobody@example.org')).to.deep.equal([]);
    const browser = new Browser(server);
    await browser.open('/auth/password/new');
    const nonsense = await browser.submit('/auth/password/new', { email: 'nonsense' });
    expect([nonsense.status, alertOf(nonsense)]).to.deep.equal([422, 'This is no e-mail address.']);
  });

  it('has links that are stored only as hashes', async () => {
    const { email } = await somebody();
    const token = (await linkFor(email)).split('=')[1] ?? '-';
    const rows = await server.app.db.query('select * from durable.one_time_codes');
    const jobs = await server.app.db.query('select * from jobs.job');
    expect(JSON.stringify([rows, jobs])).not.to.contain(token);
  });

  it('has links that expire after six hours', async () => {
    const { email } = await somebody();
    const link = await linkFor(email);
    const age = (interval: string): Promise<unknown> =>
      server.app.db.query(
        `update durable.one_time_codes set created_at = now() - interval '${interval}' where kind = 'reset_password'`,
      );
    await age('5 hours 59 minutes');
    const browser = new Browser(server);
    expect((await browser.open(link)).status).to.equal(200);
    await age('6 hours 1 minute');
    expect((await set(browser, NEW)).status).to.equal(410);
    expect((await browser.open(link)).status).to.equal(410);
  });

  it('has links that end when the password or the address changes otherwise', async () => {
    for (const changes of [{ password: 'set by the operator' }, { email: 'elsewhere@example.org' }]) {
      const alice = await somebody();
      const link = await linkFor(alice.email);
      const browser = new Browser(server);
      await browser.open(link);
      const ctx = server.app.systemContext('spec');
      await modifyUser(ctx, alice.id, changes);
      await ctx.waitForReadModels();
      expect((await set(browser, NEW)).status, JSON.stringify(changes)).to.equal(410);
      expect(await canSignIn(alice.username, NEW)).to.equal(false);
    }
  });

  it('sends a new confirmation link when the address is not confirmed yet', async () => {
    const { email, username } = await somebody(false);
    const browser = new Browser(server);
    await browser.open(await linkFor(email));
    await follow(browser, await set(browser, NEW));
    expect(await canSignIn(username, NEW)).to.equal(false);
    const confirmation = (await pathsMailedTo(server, email)).at(-1) ?? '';
    expect(confirmation).to.contain('/auth/confirmation?');
    expect((await server.call('GET', confirmation)).status).to.equal(200);
    expect(await canSignIn(username, NEW)).to.equal(true);
  });

  it('leads back to the request of the app', async () => {
    const app = await registerApp(server);
    const request = authorizePath(app, { state: 'x y', scope: 'read' });
    const { email } = await somebody();
    const browser = new Browser(server);
    const page = load((await browser.open(request)).body as string);
    const link = page.all('a').find(({ text }) => text === 'Forgot your password?')?.attributes['href'] ?? '';
    expect(link).to.match(/^\/auth\/password\/new\?return_to=/);
    await browser.open(link);
    const sent = await follow(browser, await browser.submit('/auth/password/new', { email }));
    const back = load(sent.body as string)
      .all('a')
      .find(({ text }) => text === 'Back to sign-in');
    const isRequest = (path = ''): void => {
      const { pathname, searchParams } = new URL(path, server.url);
      expect(pathname).to.equal('/oauth/authorize');
      expect(searchParams.get('state')).to.equal('x y');
      expect(searchParams.get('client_id')).to.equal(app.client_id);
    };
    isRequest(back?.attributes['href']);
    // In the browser that requested the link, which need not be the app's.
    await browser.open((await pathsMailedTo(server, email)).at(-1) ?? '');
    isRequest(locationOf(await set(browser, NEW)));
    await browser.open((await pathsMailedTo(server, email)).at(-1) ?? '');
    expect(browser.cookies.get('rookery_way_back')).to.equal('');
  });

  for (const planted of ['//evil.example', 'https://evil.example/', '/\\evil.example']) {
    it(`never leads to ${planted} (GHSA-xqw8-4j56-5hj6)`, async () => {
      const { email } = await somebody();
      const browser = new Browser(server);
      await browser.open(`/auth/password/new?return_to=${encodeURIComponent(planted)}`);
      const sent = await browser.submit('/auth/password/new', { email, return_to: planted });
      expect(locationOf(sent)).to.equal('/auth/password/new?done=reset_mail');
      browser.cookies.set('rookery_way_back', Buffer.from(planted).toString('base64url'));
      await browser.open((await pathsMailedTo(server, email)).at(-1) ?? '');
      expect(locationOf(await set(browser, NEW))).to.equal('/auth/sign_in?done=password_reset');
    });
  }

  it('leaves no entry in the audit log, which records acts of staff', async () => {
    const owner = await server.user('owner', { role: 'Owner', scopes: ['admin:read'] });
    const alice = await somebody();
    const browser = new Browser(server);
    await browser.open(await linkFor(alice.email));
    await set(browser, NEW);
    await server.waitUntilIdle();
    const { status, body } = await server.call('GET', `/api/v1/admin/audit?target=${alice.id}`, {
      token: owner.token,
    });
    expect(status).to.equal(200);
    expect((body as { action: string }[]).map(({ action }) => action)).not.to.include(
      'account.password_reset',
    );
  });

  it('can be reset by suspended and disabled users, who then see their strikes and nothing else', async () => {
    for (const action of ['suspend', 'disable'] as const) {
      const user = await somebody();
      const { token } = user;
      const system = server.app.systemContext('spec');
      const measure = { id: system.newId(), action, text: '', reportId: null, statusIds: [], notify: false };
      await takeAction(system, user.id, measure, undefined);
      await server.waitUntilIdle();
      const browser = new Browser(server);
      await browser.open(await linkFor(user.email));
      expect((await set(browser, NEW)).status).to.equal(303);
      await browser.open('/auth/sign_in');
      const answer = await browser.submit('/auth/sign_in', { login: user.username, password: NEW });
      expect([answer.status, locationOf(answer)]).to.deep.equal([303, '/settings/strikes']);
      expect((await browser.open(`/disputes/strikes/${measure.id}`)).status).to.equal(200);
      expect((await browser.open('/settings/security')).status).to.equal(403);
      expect(await isTokenGood(server, token)).to.equal(false);
      const app = await registerApp(server);
      const authorize = await browser.open(authorizePath(app));
      expect(authorize.body).not.to.contain('value="allow"');
      expect(authorize.status).not.to.equal(302);
    }
  });
});

describe('Requests for new passwords', () => {
  it('are limited per address, whether it has an account or not', async () => {
    const server = await startTestServer({ RATE_LIMITS: 'on', RATE_LIMIT_EXEMPT_LOOPBACK: 'off' });
    const { id } = await server.user('alice');
    for (const email of ['nobody@example.org', await addressOf(server, id)]) {
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 6; attempt += 1) {
        const browser = new Browser(server);
        await browser.open('/auth/password/new');
        const answer = await browser.submit('/auth/password/new', { email });
        statuses.push(answer.status);
        if (answer.status === 429) expect(alertOf(answer)).to.contain('Too many attempts');
      }
      expect(statuses).to.deep.equal([303, 303, 303, 303, 303, 429]);
    }
    await server.close();
  });
});

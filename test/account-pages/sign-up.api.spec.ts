import { expect } from 'chai';
import { signUpBody } from '#commands/accounts/index.ts';
import { addRule, changeSettings } from '#commands/instance/index.ts';
import { authorizePath, Browser, locationOf, registerApp } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { type Answer, startTestServer, type TestServer } from '../support/server.ts';
import { alertOf, doneOf, follow, headingOf, pathsMailedTo } from './support.ts';

const PASSWORD = 'correct horse battery';
const SIGN_UP = '/auth/sign_up';

const person = (username: string, more: Record<string, string | undefined> = {}) => ({
  username,
  email: `${username}@example.org`,
  password: PASSWORD,
  agreement: 'true',
  ...more,
});

/** Returns the problem shown beside a field, and checks that the field refers to it. */
function besideOf({ body }: Answer, name: string): string | undefined {
  const page = load(body as string);
  const [field] = page.elements.filter(({ attributes }) => attributes['id'] === name);
  const described = field?.attributes['aria-describedby']?.split(' ') ?? [];
  const note = page.one('p', { id: `${name}-problem` });
  expect(field?.attributes['aria-invalid'], name).to.equal(note ? 'true' : undefined);
  expect(described.includes(`${name}-problem`), name).to.equal(note !== undefined);
  return note?.text;
}

const hrefOf = ({ body }: Answer, text: string): string | undefined =>
  load(body as string)
    .all('a')
    .find((link) => link.text === text)?.attributes['href'];

const confirmationFor = async (server: TestServer, email: string): Promise<string> =>
  (await pathsMailedTo(server, email)).at(-1) ?? '';

async function rowOf(server: TestServer, email: string): Promise<Record<string, unknown> | undefined> {
  await server.waitUntilIdle();
  const [row] = await server.app.db.query<Record<string, unknown>>(
    `select account_id, confirmed, approved, locale, reason, created_by_application_id from users where email = $1`,
    [email],
  );
  return row;
}

describe('Signing up in a browser', function () {
  this.timeout(60_000);
  let server: TestServer;

  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const signUp = async (
    fields: Record<string, string | undefined>,
    { browser = new Browser(server), path = SIGN_UP } = {},
  ): Promise<{ browser: Browser; answer: Answer }> => {
    const { status } = await browser.open(path);
    expect(status).to.equal(200);
    return { browser, answer: await browser.submit(SIGN_UP, fields) };
  };
  const settings = async (changes: Parameters<typeof changeSettings>[1]): Promise<void> => {
    await changeSettings(server.app.systemContext('tests'), changes);
    await server.waitUntilIdle();
  };

  it('creates an account that works once the address is confirmed', async () => {
    const { browser, answer } = await signUp(person('alice', { locale: 'xx-nonsense' }), {
      browser: new Browser(server, { 'Accept-Language': 'xx, fr;q=0.5, de-at;q=0.9' }),
    });
    const setup = await follow(browser, answer);
    expect(headingOf(setup)).to.equal('Check your mail');
    expect(setup.body).to.contain('alice@example.org');
    expect(await rowOf(server, 'alice@example.org')).to.deep.include({
      confirmed: false,
      approved: true,
      locale: 'de-AT',
      reason: null,
      created_by_application_id: null,
    });
    // Only that page is open before the confirmation.
    const early = await browser.open('/settings');
    expect([early.status, alertOf(early)?.slice(0, 34)]).to.deep.equal([
      403,
      'Please confirm your e-mail address',
    ]);
    expect(hrefOf(early, 'Have the mail sent again')).to.equal('/auth/setup');

    const link = await confirmationFor(server, 'alice@example.org');
    const elsewhere = await new Browser(server).open(link);
    expect([elsewhere.status, headingOf(elsewhere)]).to.deep.equal([200, 'Confirmed']);
    expect(hrefOf(elsewhere, 'here')).to.equal('/auth/sign_in');
    expect((await browser.open('/settings')).status).to.equal(200);
    expect(locationOf(await browser.open('/auth/setup'))).to.equal('/start');
    expect(locationOf(await browser.open(SIGN_UP))).to.equal('/home');

    const other = new Browser(server);
    await other.open('/auth/sign_in');
    const signedIn = await other.submit('/auth/sign_in', { login: 'alice', password: PASSWORD });
    expect(locationOf(signedIn)).to.equal('/home');
  });

  it('shows each problem beside its field and keeps all input except the password', async () => {
    const { answer, browser } = await signUp({ username: 'é', email: 'nobody', password: 'short' });
    expect(answer.status).to.equal(422);
    expect(alertOf(answer)).to.equal('There is no account yet: see what is said in the form.');
    expect(besideOf(answer, 'username')).to.equal(
      'The username must contain only letters, numbers and underscores.',
    );
    expect(besideOf(answer, 'email')).to.equal('The e-mail address is invalid.');
    expect(besideOf(answer, 'password')).to.equal('The password is too short (minimum is 8 characters).');
    expect(besideOf(answer, 'agreement')).to.equal('This must be accepted.');
    const page = load(answer.body as string);
    const value = (name: string) => page.one('input', { name })?.attributes['value'];
    expect([value('username'), value('email'), value('password')]).to.deep.equal(['é', 'nobody', undefined]);
    expect(answer.body).not.to.contain('short"');
    expect(page.all('input').filter(({ attributes }) => 'autofocus' in attributes)).to.have.length(1);

    const ticked = await browser.submit(SIGN_UP, person('bob', { password: '' }));
    expect(besideOf(ticked, 'agreement')).to.equal(undefined);
    expect(besideOf(ticked, 'username')).to.equal(undefined);
    expect(besideOf(ticked, 'password')).to.equal("The password can't be blank.");
    const box = load(ticked.body as string).one('input', { name: 'agreement' });
    expect(box?.attributes).to.have.property('checked');
    expect((await browser.submit(SIGN_UP, person('bob'))).status).to.equal(303);
  });

  it('refuses what the API refuses, for the same reasons', async () => {
    await signUp(person('carol'));
    const taken = await signUp(person('CAROL', { email: 'c.arol+x@example.org' }));
    expect(taken.answer.status).to.equal(422);
    expect(besideOf(taken.answer, 'username')).to.equal('The username has already been taken.');
    expect(besideOf(taken.answer, 'email')).to.equal('The e-mail address has already been taken.');
    const reserved = await signUp(person('admin'));
    expect(besideOf(reserved.answer, 'username')).to.equal('The username is reserved.');

    const staff = await server.user('staff', {
      role: 'Admin',
      scopes: ['admin:write:email_domain_blocks', 'admin:write:ip_blocks'],
    });
    await server.call('POST', '/api/v1/admin/email_domain_blocks', {
      token: staff.token,
      body: { domain: 'spam.example' },
    });
    const blocked = await signUp(person('dave', { email: 'dave@spam.example' }));
    expect(besideOf(blocked.answer, 'email')).to.equal(
      'The e-mail address uses a disallowed e-mail provider.',
    );

    const range = async (severity: string): Promise<void> => {
      const { status } = await server.call('POST', '/api/v1/admin/ip_blocks', {
        token: staff.token,
        body: { ip: '127.0.0.1/32', severity, comment: 'spec' },
      });
      expect(status).to.equal(200);
      await server.waitUntilIdle();
    };
    const lift = async (): Promise<void> => {
      const [{ id }] = (await server.app.db.query<{ id: string }>('select id from ip_blocks')) as [
        { id: string },
      ];
      const { status } = await server.call('DELETE', `/api/v1/admin/ip_blocks/${id}`, { token: staff.token });
      expect(status).to.equal(200);
      await server.waitUntilIdle();
    };
    await range('sign_up_requires_approval');
    const waits = await signUp(person('waits', { reason: 'I am a <b>rook</b>' }));
    expect(waits.answer.status).to.equal(303);
    expect(await rowOf(server, 'waits@example.org')).to.include({
      approved: false,
      reason: 'I am a <b>rook</b>',
    });
    await lift();
    const { browser } = await signUp({});
    await range('sign_up_block');
    const refused = await browser.submit(SIGN_UP, person('erin'));
    expect(refused.status).to.equal(403);
    expect(refused.body).to.contain('from the network that you are in').and.not.to.contain('name="username"');
    await lift();
    expect(await rowOf(server, 'erin@example.org')).to.equal(undefined);
  });

  it("shows a problem also for input that the API's schema refuses", async () => {
    const { browser } = await signUp({});
    const username = 'x'.repeat(15_000);
    expect(signUpBody.safeParse({ username }).success).to.equal(false);
    const answer = await browser.submit(SIGN_UP, person('mallory', { username }));
    expect(answer.status).to.equal(422);
    expect(besideOf(answer, 'username')).to.be.a('string');
  });

  it('is closed with the message of staff when registrations are closed', async () => {
    const { browser } = await signUp({});
    await settings({ registrations: 'closed' });
    for (const message of ['', '<p>Come back <strong>in spring</strong>.</p>']) {
      await settings({ registrations_message: message });
      const shown = await new Browser(server).open(SIGN_UP);
      expect(shown.status).to.equal(200);
      expect(shown.body)
        .to.contain(message === '' ? 'Nobody can sign up now.' : message)
        .and.not.to.contain('name="username"');
      const refused = await browser.post(SIGN_UP, {
        ...person('frank'),
        csrf_token: load((await browser.open('/auth/sign_in')).body as string).one('input', {
          name: 'csrf_token',
        })?.attributes['value'],
      });
      expect(refused.status).to.equal(403);
      expect(refused.body).to.contain(message === '' ? 'Nobody can sign up now.' : message);
    }
    expect(await rowOf(server, 'frank@example.org')).to.equal(undefined);
    const app = await registerApp(server);
    for (const path of ['/', '/auth/sign_in', authorizePath(app)]) {
      const { status, body } = await new Browser(server).open(path);
      expect([status, (body as string).includes(SIGN_UP)], path).to.deep.equal([200, false]);
    }
    await settings({ registrations: 'open', registrations_message: '' });
    for (const path of ['/', '/auth/sign_in', authorizePath(app)]) {
      expect((await new Browser(server).open(path)).body, path).to.contain(SIGN_UP);
    }
  });

  it('waits for approval when staff reviews sign-ups, and says so at each step', async () => {
    await settings({ registrations: 'approved' });
    const app = await registerApp(server);
    const shown = await new Browser(server).open(SIGN_UP);
    expect(shown.body).to.contain('Staff looks at each sign-up first').and.to.contain('name="reason"');
    expect((await new Browser(server).open('/')).body).to.contain('Ask for an account');
    const long = await signUp(person('grace', { reason: 'x'.repeat(421) }));
    expect(besideOf(long.answer, 'reason')).to.equal('The reason is too long (maximum is 420 characters).');
    const { browser, answer } = await signUp(person('grace', { reason: 'I like\nrooks' }), {
      path: `${SIGN_UP}?${new URLSearchParams({ return_to: authorizePath(app) }).toString()}`,
    });
    expect((await follow(browser, answer)).body).to.contain('staff looks at your sign-up');
    expect(await rowOf(server, 'grace@example.org')).to.include({ approved: false, reason: 'I like\nrooks' });
    const confirmed = await browser.open(await confirmationFor(server, 'grace@example.org'));
    expect(confirmed.status).to.equal(200);
    expect(confirmed.body)
      .to.contain('The moderators review your sign-up now')
      .and.not.to.contain('sign in now');
    const waiting = await browser.open('/auth/setup');
    expect(waiting.body).to.contain('still being reviewed').and.not.to.contain('name="step"');
    const early = await browser.open(authorizePath(app));
    expect(early.status).to.equal(403);
    expect(early.body).to.contain('still being reviewed').and.not.to.contain('sent again');

    // For staff this is a sign-up without an app.
    const { token } = await server.user('owner', { role: 'Owner', scopes: ['admin:read', 'admin:write'] });
    const { account_id: id } = (await rowOf(server, 'grace@example.org')) as { account_id: string };
    const seen = await server.call('GET', `/api/v1/admin/accounts/${id}`, { token });
    expect(seen.body).to.include({ username: 'grace', invite_request: 'I like\nrooks', approved: false });
    expect(seen.body).not.to.have.property('created_by_application_id');
    expect((await server.call('POST', `/api/v1/admin/accounts/${id}/approve`, { token })).status).to.equal(
      200,
    );
    await server.waitUntilIdle();
    const audit = await server.call('GET', `/api/v1/admin/audit?target=${id}`, { token });
    expect((audit.body as { action: string }[]).map(({ action }) => action)).to.deep.equal([
      'account.approved',
    ]);
    // The next visit leads back to the request of the app.
    const { pathname } = new URL(locationOf(await browser.open('/auth/setup')), server.url);
    expect(pathname).to.equal('/oauth/authorize');
    await settings({ registrations: 'open' });
  });

  it('lists the rules before the form and links to the terms', async () => {
    const plain = await new Browser(server).open(SIGN_UP);
    expect(hrefOf(plain, 'rules')).to.equal(undefined);
    expect(hrefOf(plain, 'privacy policy')).to.equal('/privacy-policy');
    await settings({ privacy_policy: { content: '<p>Little</p>', updated_at: '2026-01-01T00:00:00.000Z' } });
    const other = await new Browser(server).open(SIGN_UP);
    expect(other.body)
      .to.contain('I agree to the <a href="/privacy-policy"')
      .and.not.to.contain('id="rules"');
    await addRule(server.app.systemContext('tests'), { text: 'Be <kind>', hint: '' });
    await server.waitUntilIdle();
    const now = await new Browser(server).open(SIGN_UP);
    expect([hrefOf(now, 'rules'), hrefOf(now, 'privacy policy')]).to.deep.equal([
      '/about',
      '/privacy-policy',
    ]);
    const [before = '', after = ''] = (now.body as string).split('<form');
    expect(before).to.contain('Be &#60;kind&#62;');
    expect(after).to.contain('name="username"');
    for (const link of load(now.body as string).all('a', { target: '_blank' })) {
      expect(link.attributes['rel']).to.equal('noopener');
    }
  });

  it('sends the mail again, also to a corrected address, which invalidates earlier links', async () => {
    const { browser, answer } = await signUp(person('heidi', { email: 'typo@example.org' }));
    await follow(browser, answer);
    const again = await follow(browser, await browser.submit('/auth/setup', {}, 'value="again"'));
    expect(doneOf(again)).to.equal('The mail is on its way.');
    expect(await pathsMailedTo(server, 'typo@example.org')).to.have.length(2);

    for (const [email, problem] of [
      ['nobody', 'The e-mail address is invalid.'],
      ['alice@example.org', 'The e-mail address has already been taken.'],
      ['x@spam.example', 'The e-mail address uses a disallowed e-mail provider.'],
    ] as const) {
      const wrong = await browser.submit('/auth/setup', { email }, 'value="address"');
      expect([wrong.status, besideOf(wrong, 'email')]).to.deep.equal([422, problem]);
    }
    const empty = await browser.submit('/auth/setup', { email: ' ' }, 'value="address"');
    expect(empty.status).to.equal(422);
    const unknown = await browser.submit('/auth/setup', { step: 'x' }, 'value="again"');
    expect(unknown.status).to.equal(422);

    const mended = await browser.submit('/auth/setup', { email: 'Right@example.org' }, 'value="address"');
    expect((await follow(browser, mended)).body).to.contain('right@example.org');
    const old = await confirmationFor(server, 'typo@example.org');
    expect((await browser.open(old)).status).to.equal(410);
    const confirmed = await browser.open(await confirmationFor(server, 'right@example.org'));
    expect([confirmed.status, locationOf(confirmed)]).to.deep.equal([303, '/start']);
    await browser.open('/settings');
    const late = await browser.submit('/auth/setup', { csrf_token: '' });
    expect(late.status).to.equal(403);
  });

  it('requires sign-in to see the setup page in another browser', async () => {
    await signUp(person('ivan'));
    const browser = new Browser(server);
    const away = await browser.open('/auth/setup');
    expect(locationOf(away)).to.equal('/auth/sign_in?return_to=%2Fauth%2Fsetup');
    await browser.open('/auth/sign_in');
    const refused = await browser.submit('/auth/sign_in', { login: 'ivan', password: PASSWORD });
    expect(refused.status).to.equal(403);
    expect(alertOf(refused)).to.contain('confirm your e-mail address');
    const setup = await browser.open(hrefOf(refused, 'Have the mail sent again') ?? '');
    expect(headingOf(setup)).to.equal('Check your mail');
    expect(setup.body).to.contain('ivan@example.org');
    expect((await follow(browser, await browser.submit('/auth/sign_out'))).status).to.equal(200);
    expect((await browser.open('/auth/setup')).status).to.equal(303);
  });

  it('leads back to the request of the app in the same browser', async () => {
    const app = await registerApp(server);
    const request = authorizePath(app, { state: 'x y' });
    const isRequest = (path = ''): void => {
      const { pathname, searchParams } = new URL(path, server.url);
      expect(pathname).to.equal('/oauth/authorize');
      expect([searchParams.get('state'), searchParams.get('client_id')]).to.deep.equal([
        'x y',
        app.client_id,
      ]);
    };
    const browser = new Browser(server);
    const path = hrefOf(await browser.open(request), 'New here? Sign up') ?? '';
    const wrong = await signUp(person('judy', { password: '' }), { browser, path });
    isRequest(hrefOf(wrong.answer, 'You have an account? Sign in'));
    await follow(browser, await browser.submit(SIGN_UP, person('judy')));

    const early = await browser.open(request);
    expect(early.status).to.equal(403);
    expect(early.body).to.contain('Please confirm your e-mail address first');
    const setup = await browser.open(hrefOf(early, 'Have the mail sent again') ?? '');
    expect(headingOf(setup)).to.equal('Check your mail');

    const link = await confirmationFor(server, 'judy@example.org');
    const back = await browser.open(link);
    expect(back.status).to.equal(303);
    isRequest(locationOf(back));
    expect(browser.cookies.get('rookery_way_back')).to.equal('');
    expect((await browser.open(locationOf(back))).body)
      .to.contain('name="decision"')
      .and.to.contain('@judy');
    // Another browser has no request to return to.
    expect((await new Browser(server).open(link)).status).to.equal(200);
  });

  for (const planted of ['//evil.example', 'https://evil.example/', '/\\evil.example']) {
    it(`never leads to ${planted} (GHSA-xqw8-4j56-5hj6)`, async () => {
      const username = `user${Buffer.from(planted).toString('hex').slice(0, 8)}`;
      const { browser, answer } = await signUp(person(username, { return_to: planted }), {
        path: `${SIGN_UP}?return_to=${encodeURIComponent(planted)}`,
      });
      expect(locationOf(answer)).to.equal('/auth/setup');
      await browser.open(`/auth/setup?return_to=${encodeURIComponent(planted)}`);
      expect(browser.cookies.has('rookery_way_back')).to.equal(false);
      browser.cookies.set('rookery_way_back', Buffer.from(planted).toString('base64url'));
      const confirmed = await browser.open(await confirmationFor(server, `${username}@example.org`));
      expect([confirmed.status, locationOf(confirmed)]).to.deep.equal([303, '/start']);
      expect(locationOf(await browser.open('/auth/setup'))).to.equal('/start');
    });
  }

  it("records no actor when another user's browser opens the confirmation link", async () => {
    const bystander = new Browser(server);
    await server.user('bystander');
    await bystander.open('/auth/sign_in');
    await bystander.submit('/auth/sign_in', { login: 'bystander', password: 'correct horse bystander' });
    await signUp(person('kate'));
    expect((await bystander.open(await confirmationFor(server, 'kate@example.org'))).status).to.equal(200);
    const events = await server.app.log.readAll(0n, 1_000);
    const [done] = events.filter(
      ({ type, data }) =>
        type === 'UserConfirmed' && (data as { email?: string }).email === 'kate@example.org',
    );
    expect(done?.metadata).to.be.an('object').and.not.to.have.property('actor');
  });
});

describe('Repeated sign-ups in a browser', () => {
  it('are limited to five, together with those by apps', async function () {
    this.timeout(60_000);
    const server = await startTestServer({ RATE_LIMITS: 'on', RATE_LIMIT_EXEMPT_LOOPBACK: 'off' });
    const { id } = await registerApp(server, { scopes: 'read write' });
    const { access_token: token } = await server.app.tokens.issue({ applicationId: id, scopes: ['write'] });
    expect((await server.call('POST', '/api/v1/accounts', { token, body: {} })).status).to.equal(422);
    const browser = new Browser(server);
    await browser.open(SIGN_UP);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const answer = await browser.submit(SIGN_UP, { username: 'lea' });
      statuses.push(answer.status);
      if (answer.status !== 429) continue;
      expect(alertOf(answer)).to.contain('Too many attempts');
      expect(Number(answer.headers.get('retry-after'))).to.be.greaterThan(0);
      const typed = load(answer.body as string).one('input', { name: 'username' });
      expect(typed?.attributes['value']).to.equal('lea');
    }
    expect(statuses).to.deep.equal([422, 422, 422, 422, 429]);
    expect((await server.call('POST', '/api/v1/accounts', { token, body: {} })).status).to.equal(429);
    await server.close();
  });
});

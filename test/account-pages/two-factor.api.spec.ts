import { expect } from 'chai';
import { totpCode } from '#commands/accounts/index.ts';
import { accountStream } from '#events/accounts.ts';
import { Browser } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { pushed } from '../push/support.ts';
import { rookeryBeside } from '../support/command-line.ts';
import { textsMailedTo } from '../support/mails.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { withTwoFactor } from '../support/two-factor.ts';
import { addressOf, alertOf, doneOf, follow, headingOf, inMain, isTokenGood, signedIn } from './support.ts';

const TWO_FACTOR = '/settings/two-factor';
const now = (): string => new Date().toISOString();

describe('The two-factor settings', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let password: string;
  let browser: Browser;
  let count = 0;

  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());
  beforeEach(async () => {
    alice = await server.user(`user${(count += 1)}`);
    password = `correct horse ${alice.username}`;
    browser = await signedIn(server, alice.username);
    await browser.open(TWO_FACTOR);
  });

  const send = (step: string, fields: Record<string, string>): Promise<Answer> =>
    browser.submit(TWO_FACTOR, fields, `name="step" value="${step}"`);
  const begin = (current_password = password): Promise<Answer> => send('begin', { current_password });
  const keyOf = ({ body }: Answer): string =>
    load(body as string)
      .one('code')
      ?.text.replaceAll(' ', '') ?? '';
  const codesOf = ({ body }: Answer): string[] =>
    load(body as string)
      .all('code')
      .map(({ text }) => text);
  const isOn = async (): Promise<boolean> =>
    ((await browser.open(TWO_FACTOR)).body as string).includes('<strong>on</strong>');
  const mails = async (): Promise<string[]> => {
    await pushed(server);
    await server.waitUntilIdle();
    const texts = await textsMailedTo(await addressOf(server, alice.id), server.app.config.dataDir);
    return texts.map((text) => /^Subject: (.*)$/m.exec(text)?.[1] ?? '');
  };

  it('are linked in the overview', async () => {
    const [link] = inMain(await browser.open('/settings'), 'a').filter(
      ({ attributes }) => attributes['href'] === TWO_FACTOR,
    );
    expect(link?.text).to.contain('Two-factor sign-in');
  });

  it('show a key after the password and turn two-factor sign-in on with a code', async () => {
    const setup = await begin();
    expect([setup.status, headingOf(setup)]).to.deep.equal([200, 'Two-factor sign-in']);
    const key = keyOf(setup);
    expect(key).to.match(/^[A-Z2-7]{32}$/);
    expect(load(setup.body as string).one('div', { role: 'img' })?.attributes['aria-label']).to.contain('QR');
    expect(setup.body).to.contain('<svg');
    expect(setup.headers.get('cache-control')).to.equal('no-store');
    const wrong = await send('confirm', { code: '000000' });
    expect([wrong.status, alertOf(wrong)]).to.deep.equal([422, 'The code is wrong, or was used already.']);
    expect(keyOf(wrong)).to.equal(key);

    const done = await send('confirm', { code: totpCode(key, now()) });
    expect([done.status, doneOf(done)]).to.deep.equal([200, 'Two-factor sign-in is on.']);
    expect(codesOf(done)).to.have.length(10);
    expect(done.body).to.contain('href="/settings/applications"');
    expect(await isOn()).to.equal(true);
    // Neither the key nor the recovery codes are shown again.
    const { body } = await browser.open(TWO_FACTOR);
    for (const text of [key, ...codesOf(done)]) expect(body).not.to.contain(text);
    expect(body).to.contain('left: 10.');
    // Existing tokens remain valid.
    expect(await isTokenGood(server, alice.token)).to.equal(true);
    expect(await mails()).to.deep.equal(['Two-factor sign-in is on on rookery.example']);
  });

  it('require the password, and turn nothing on without a code of the key just shown', async () => {
    const before = await server.app.log.head();
    for (const current of ['wrong', '']) {
      const answer = await begin(current);
      expect([answer.status, alertOf(answer)]).to.deep.equal([422, 'The current password is wrong.']);
      expect(load(answer.body as string).one('div', { role: 'img' })).to.equal(undefined);
    }
    expect(await server.app.log.head()).to.equal(before);

    const key = keyOf(await begin());
    expect(await isOn()).to.equal(false);
    // A browser that was shown no key neither sees it nor can bring its own.
    const own = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    for (const secret of ['', own]) {
      await browser.open(TWO_FACTOR);
      const answer = await send('begin', { step: 'confirm', secret, code: totpCode(own, now()) });
      expect(answer.status).to.equal(422);
      expect(alertOf(answer)).to.contain('Please begin again');
      expect(load(answer.body as string).one('div', { role: 'img' })).to.equal(undefined);
      expect(answer.body).not.to.contain(key);
    }
    expect(await isOn()).to.equal(false);
    // A second key invalidates the first one.
    const first = await begin();
    await browser.open(TWO_FACTOR);
    await begin();
    const stale = await send('confirm', { secret: keyOf(first), code: totpCode(keyOf(first), now()) });
    expect([stale.status, await isOn()]).to.deep.equal([422, false]);
  });

  it('keep the key encrypted in the log and the recovery codes as hashes', async () => {
    const key = keyOf(await begin());
    const codes = codesOf(await send('confirm', { code: totpCode(key, now()) }));
    const rows = await server.app.db.query<{ data: string }>(
      'select data::text as data from eventlog.events where stream = $1',
      [accountStream(alice.id)],
    );
    const stored = rows.map(({ data }) => data).join('\n');
    expect(rows.length).to.be.greaterThan(2);
    for (const text of [key, 'recovery_codes', ...codes]) expect(stored).not.to.contain(text);
    const clear = (await server.app.log.readStream(accountStream(alice.id))).map(({ data }) => data);
    expect(JSON.stringify(clear)).to.contain(key);
    for (const code of codes) expect(JSON.stringify(clear)).not.to.contain(code.replaceAll('-', ''));
  });

  it('replace the recovery codes after the password', async () => {
    const { recoveryCodes } = await withTwoFactor(server.app, alice.id);
    await browser.open(TWO_FACTOR);
    const wrong = await send('recovery_codes', { current_password: 'wrong' });
    expect([wrong.status, alertOf(wrong)]).to.deep.equal([422, 'The current password is wrong.']);
    const made = await send('recovery_codes', { current_password: password });
    const codes = codesOf(made);
    expect([made.status, codes.length]).to.deep.equal([200, 10]);
    expect(codes.filter((code) => recoveryCodes.includes(code))).to.deep.equal([]);
    await browser.open(TWO_FACTOR);
    const off = (code: string) => send('turn_off', { current_password: password, code });
    expect((await off(recoveryCodes[0]!)).status).to.equal(422);
    expect((await off(codes[0]!)).status).to.equal(303);
    expect(await mails()).to.deep.equal([
      'Two-factor sign-in is on on rookery.example',
      'You have new recovery codes on rookery.example',
      'Two-factor sign-in is off on rookery.example',
    ]);
  });

  it('turn two-factor sign-in off with the password and a code', async () => {
    const { code } = await withTwoFactor(server.app, alice.id);
    await browser.open(TWO_FACTOR);
    const before = await server.app.log.head();
    for (const [fields, problem] of [
      [{ current_password: 'wrong', code }, 'The current password is wrong.'],
      [{ current_password: password, code: '' }, 'The code is wrong, or was used already.'],
      [{ current_password: password, code: '000000' }, 'The code is wrong, or was used already.'],
    ] as const) {
      const answer = await send('turn_off', fields);
      expect([answer.status, alertOf(answer)]).to.deep.equal([422, problem]);
    }
    expect(await server.app.log.head()).to.equal(before);
    const answer = await send('turn_off', { current_password: password, code });
    expect(doneOf(await follow(browser, answer))).to.contain('Two-factor sign-in is off');
    expect(await isOn()).to.equal(false);
    await signedIn(server, alice.username);
  });

  it('refuse a second setup, and refuse changes when two-factor sign-in is off', async () => {
    await withTwoFactor(server.app, alice.id);
    const again = await begin();
    expect([again.status, alertOf(again)]).to.deep.equal([422, 'Two-factor sign-in is on already.']);
    const bob = await server.user(`bob${count}`);
    browser = await signedIn(server, bob.username);
    await browser.open(TWO_FACTOR);
    for (const step of ['recovery_codes', 'turn_off']) {
      const fields = { step, current_password: `correct horse ${bob.username}`, code: '000000' };
      const answer = await send('begin', fields);
      expect([answer.status, alertOf(answer)]).to.deep.equal([422, 'Two-factor sign-in is not on.']);
    }
  });

  it('leave an entry in the audit log when the operator turns them off, but not when the user does', async () => {
    const owner = await server.user(`owner${count}`, { role: 'Owner', scopes: ['admin:read'] });
    const lines = async (): Promise<string[]> => {
      await server.waitUntilIdle();
      const { body } = await server.call('GET', `/api/v1/admin/audit?target=${alice.id}`, owner);
      return (body as { action: string }[]).map(({ action }) => action);
    };
    const before = await lines();
    const { code } = await withTwoFactor(server.app, alice.id);
    await browser.open(TWO_FACTOR);
    expect((await send('turn_off', { current_password: password, code })).status).to.equal(303);
    expect(await lines()).to.deep.equal(before);
    await withTwoFactor(server.app, alice.id);
    const modify = ['accounts', 'modify', alice.username, '--disable-2fa'];
    expect(await rookeryBeside(server.app, ...modify)).to.include({ code: 0, stdout: 'OK\n' });
    expect(await lines()).to.deep.equal(['account.two_factor_disabled', ...before]);
    expect(await isOn()).to.equal(false);
    await signedIn(server, alice.username);
    expect((await mails()).at(-1)).to.equal('Two-factor sign-in is off on rookery.example');
    // A second run succeeds and records nothing.
    expect(await rookeryBeside(server.app, ...modify)).to.include({ code: 0 });
    expect(await lines()).to.have.length(before.length + 1);
  });

  it('stop a sign-in between its two steps when the other browsers are signed out', async () => {
    const other = await signedIn(server, alice.username);
    const { code } = await withTwoFactor(server.app, alice.id);
    const halfWay = new Browser(server);
    await halfWay.open('/auth/sign_in');
    const step = await halfWay.submit('/auth/sign_in', { login: alice.username, password });
    await follow(halfWay, step);
    await browser.open('/settings/security');
    await follow(browser, await browser.submit('/settings/security', {}, 'value="browsers"'));
    expect((await other.open('/settings')).status).to.equal(303);
    const late = await follow(halfWay, await halfWay.submit('/auth/second_step', { code }));
    expect(doneOf(late)).to.contain('Please sign in again');
    expect((await halfWay.open('/settings')).status).to.equal(303);
    expect((await browser.open('/settings')).status).to.equal(200);
  });

  it('are deleted with the account', async () => {
    const { secret } = await withTwoFactor(server.app, alice.id);
    const steps = (): Promise<unknown[]> =>
      server.app.db.query('select 1 from durable.sign_in_steps where account_id = $1', [alice.id]);
    const halfWay = new Browser(server);
    await halfWay.open('/auth/sign_in');
    await halfWay.submit('/auth/sign_in', { login: alice.username, password });
    expect(await steps()).to.have.length(1);
    await browser.open('/settings/delete');
    expect((await browser.submit('/settings/delete', { current_password: password })).status).to.equal(200);
    expect(await steps()).to.deep.equal([]);
    await server.waitUntilIdle();
    const events = await server.app.log.readStream(accountStream(alice.id));
    expect(events.at(-1)?.type).to.equal('PersonalDataErased');
    expect(JSON.stringify(events.map(({ data }) => data))).not.to.contain(secret);
    const [enabled] = events.filter(({ type }) => type === 'UserTwoFactorEnabled');
    expect(enabled?.data).to.include({ secret: '' }).and.to.deep.include({ recovery_codes: [] });
  });
});

import { expect } from 'chai';
import { modifyUser } from '#commands/accounts/index.ts';
import { Browser } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { alertOf, headingOf, isTokenGood, signedIn } from './support.ts';

const DELETE = '/settings/delete';

describe("The page that deletes one's own account", function () {
  this.timeout(60_000);
  let server: TestServer;

  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  it('requires the password and deletes everything', async () => {
    const alice = await server.user('alice');
    await server.call('POST', '/api/v1/statuses', { token: alice.token, body: { status: 'soon gone' } });
    const browser = await signedIn(server, 'alice');
    const page = await browser.open(DELETE);
    expect(page.body).to.contain('for good').and.to.contain('@alice@rookery.example');
    for (const current_password of ['', 'wrong']) {
      const answer = await browser.submit(DELETE, { current_password });
      expect([answer.status, alertOf(answer)]).to.deep.equal([422, 'The current password is wrong.']);
    }
    expect(await isTokenGood(server, alice.token)).to.equal(true);

    const before = await server.app.log.head();
    const gone = await browser.submit(DELETE, { current_password: 'correct horse alice' });
    expect([gone.status, headingOf(gone)]).to.deep.equal([200, 'Your account is being deleted']);
    expect(await isTokenGood(server, alice.token)).to.equal(false);
    expect((await browser.open('/settings')).status).to.equal(303);
    await server.waitUntilIdle();

    const events = await server.app.log.readAll(before, 1_000);
    const decision = events.find(({ type }) => type === 'AccountErased');
    expect(decision?.metadata.actor).to.deep.equal({ account_id: alice.id });
    expect(decision?.metadata.rule).to.equal(undefined);
    expect(events.map(({ type }) => type)).to.include.members(['StatusDeleted', 'PersonalDataErased']);
    expect(await server.app.db.query(`select * from users where account_id = ${alice.id}`)).to.deep.equal([]);
    expect((await server.call('GET', '/@alice')).status).to.equal(410);
    const again = new Browser(server);
    await again.open('/auth/sign_in');
    const login = { login: 'alice', password: 'correct horse alice' };
    expect((await again.submit('/auth/sign_in', login)).status).to.equal(422);
    const auditor = await server.user('auditor', { role: 'Owner', scopes: ['admin:read'] });
    const { body } = await server.call('GET', `/api/v1/admin/audit?target=${alice.id}`, {
      token: auditor.token,
    });
    const actions = (body as { action: string }[]).map(({ action }) => action);
    expect(actions).not.to.include('account.erased').and.not.to.include('account.suspended');
  });

  it('lets owners delete themselves while another owner who can sign in remains', async () => {
    const owners = await server.app.db.query<{ account_id: string }>(
      `select account_id from users where role = 'Owner'`,
    );
    const ctx = server.app.systemContext('spec');
    for (const { account_id } of owners) await modifyUser(ctx, account_id, { role: null });
    await ctx.waitForReadModels();
    const names = ['first', 'second', 'third'];
    for (const name of [...names, 'disabled']) await server.user(name, { role: 'Owner' });
    const [disabled] = await server.app.db.query<{ id: string }>(
      `select id from accounts where username = 'disabled'`,
    );
    await modifyUser(server.app.systemContext('spec'), disabled?.id ?? '', { disabled: true });
    await server.waitUntilIdle();
    // Three owners at the same time: the last one is refused.
    const browsers = await Promise.all(names.map((name) => signedIn(server, name)));
    await Promise.all(browsers.map((browser) => browser.open(DELETE)));
    const answers = await Promise.all(
      browsers.map((browser, n) => browser.submit(DELETE, { current_password: `correct horse ${names[n]}` })),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 200, 403]);
    const last = answers.find(({ status }) => status === 403);
    expect(last && alertOf(last)).to.contain('You are the only owner of this server');
    await server.waitUntilIdle();
    const [stays] = await server.app.db.query<{ account_id: string }>(
      `select account_id from users where role = 'Owner' and not disabled`,
    );
    await modifyUser(server.app.systemContext('spec'), stays?.account_id ?? '', { role: null });
    await server.waitUntilIdle();
  });

  it('refuses the last owner with a reason until they lose the role', async () => {
    const { id } = await server.user('owner', { role: 'Owner' });
    const browser = await signedIn(server, 'owner');
    const page = await browser.open(DELETE);
    expect(page.body).to.contain('You are the only owner of this server');
    expect(load(page.body as string).all('input', { type: 'password' })).to.deep.equal([]);
    const csrf_token = load(page.body as string).one('input', { name: 'csrf_token' })?.attributes['value'];
    const refused = await browser.post(DELETE, { csrf_token, current_password: 'correct horse owner' });
    expect(refused.status).to.equal(403);
    expect(alertOf(refused)).to.contain('You are the only owner of this server');

    const ctx = server.app.systemContext('spec');
    await modifyUser(ctx, id, { role: null });
    await ctx.waitForReadModels();
    const anew = await signedIn(server, 'owner');
    await anew.open(DELETE);
    const gone = await anew.submit(DELETE, { current_password: 'correct horse owner' });
    expect(headingOf(gone)).to.equal('Your account is being deleted');
    await server.waitUntilIdle();
  });
});

import { expect } from 'chai';
import {
  authorizePath,
  type Browser,
  CALLBACK,
  locationOf,
  registerApp,
  type TestApp,
} from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { listen } from '../streaming/support.ts';
import { pushReceiver } from '../support/push-service.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { doneOf, follow, inMain, isTokenGood, signedIn } from './support.ts';

const APPS = '/settings/applications';

describe('The page of authorized apps', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;
  let browser: Browser;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
    bob = await server.user('bob');
    browser = await signedIn(server, 'alice');
  });
  after(() => server.close());

  const tokenOf = async (app: TestApp, accountId: string, scopes: string[]): Promise<string> =>
    (await server.app.tokens.issue({ applicationId: app.id, accountId, scopes })).access_token;
  const namesOf = (answer: Answer): string[] =>
    inMain(answer, 'h2')
      .map(({ text }) => text)
      .filter((name) => name !== 'More apps');
  const revoke = (app: TestApp, by = browser): Promise<Answer> => by.submit(APPS, { application_id: app.id });

  it('shows the name, the website, the permissions and the first date of each app', async () => {
    const evil = '<b>Elk</b>"';
    const elk = await registerApp(server, {
      client_name: evil,
      website: 'https://elk.example/',
      scopes: 'read write push',
    });
    await tokenOf(elk, alice.id, ['read:lists', 'push']);
    await tokenOf(elk, alice.id, ['write:media', 'push']);
    await tokenOf(await registerApp(server, { client_name: 'Bobs' }), bob.id, ['read']);
    const answer = await browser.open(APPS);
    const { status, body } = answer;
    expect(status).to.equal(200);
    const page = load(body as string);
    expect(namesOf(answer)).to.deep.equal([evil, 'tests']);
    expect(body).not.to.contain('<b>Elk');
    const [box] = page.all('section', { class: 'box' });
    for (const text of ['See your lists', 'Upload media files', 'Send you push notifications', 'Since']) {
      expect(box?.text).to.contain(text);
    }
    expect(page.all('a', { href: 'https://elk.example/' })).to.have.length(1);
    expect(page.all('time')[0]?.attributes['datetime']).to.equal(new Date().toISOString().slice(0, 10));
  });

  it('revokes one app with its tokens, codes, push subscriptions and open streams', async () => {
    const gone = await registerApp(server, { client_name: 'Gone', scopes: 'read write push' });
    const kept = await registerApp(server, { client_name: 'Kept' });
    const tokens = [await tokenOf(gone, alice.id, ['read', 'push']), await tokenOf(gone, alice.id, ['read'])];
    const others = [await tokenOf(kept, alice.id, ['read']), await tokenOf(gone, bob.id, ['read'])];
    const [token = ''] = tokens;
    const listener = await listen(server.url, token, 'user');
    const { status } = await server.call('POST', '/api/v1/push/subscription', {
      token,
      body: { subscription: { endpoint: 'https://push.example/a', keys: pushReceiver().keys } },
    });
    expect(status).to.equal(200);
    await browser.open(authorizePath(gone));
    const code = new URL(locationOf(await browser.send('consent', { decision: 'approve' }))).searchParams.get(
      'code',
    );

    await browser.open(APPS);
    const after = await follow(browser, await revoke(gone));
    expect(doneOf(after)).to.contain('may not use your account');
    expect(namesOf(after)).to.include('Kept').and.not.to.include('Gone');
    for (const each of tokens) expect(await isTokenGood(server, each)).to.equal(false);
    for (const each of others) expect(await isTokenGood(server, each)).to.equal(true);
    expect(await listener.closed).to.equal(1008);
    expect(await server.app.db.query('select * from durable.push_subscriptions')).to.deep.equal([]);
    const traded = await server.call('POST', '/oauth/token', {
      body: {
        grant_type: 'authorization_code',
        code,
        redirect_uri: CALLBACK,
        client_id: gone.client_id,
        client_secret: gone.client_secret,
      },
    });
    expect([traded.status, (traded.body as { error: string }).error]).to.deep.equal([400, 'invalid_grant']);
  });

  it('revokes an app only for the signed-in user, and answers 404 to invalid ids', async () => {
    const app = await registerApp(server, { client_name: 'Shared' });
    const token = await tokenOf(app, alice.id, ['read']);
    const other = await signedIn(server, 'bob');
    await other.open(APPS);
    expect((await revoke(app, other)).status).to.equal(303);
    expect(await isTokenGood(server, token)).to.equal(true);
    for (const id of ['', 'x', '99999999999999999999', "1'"]) {
      await browser.open(APPS);
      expect((await revoke({ ...app, id })).status, id).to.equal(404);
    }
  });

  it('shows twenty apps a page', async () => {
    const carol = await server.user('carol');
    await Promise.all(
      Array.from({ length: 24 }, async (_, index) =>
        tokenOf(await registerApp(server, { client_name: `App ${index}` }), carol.id, ['read']),
      ),
    );
    const hers = await signedIn(server, 'carol');
    const first = await hers.open(APPS);
    const next = load(first.body as string).one('a', { rel: 'next' })?.attributes['href'] ?? '';
    const second = await hers.open(next);
    expect(namesOf(first)).to.have.length(20);
    expect(new Set([...namesOf(first), ...namesOf(second)]).size).to.equal(25);
    expect(load(second.body as string).one('a', { rel: 'next' })).to.equal(undefined);
  });
});

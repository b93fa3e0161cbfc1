import { expect } from 'chai';
import type { Status } from '#mastodon/schemas/index.ts';
import { alertOf, headingOf, signedIn } from '../account-pages/support.ts';
import { type Browser, locationOf } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

describe('The buttons of the web client', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;
  let browser: Browser;

  before(async () => {
    server = await startTestServer();
    [alice, bob] = await Promise.all([server.user('alice'), server.user('bob')]);
    await server.call('POST', `/api/v1/accounts/${bob.id}/follow`, { token: alice.token });
  });
  beforeEach(async () => {
    browser = await signedIn(server, 'alice');
  });
  after(() => server.close());

  const post = async (text: string, fields: object = {}): Promise<Status> => {
    const body = { status: text, ...fields };
    const { body: made } = await server.call('POST', '/api/v1/statuses', { token: bob.token, body });
    await server.waitUntilIdle();
    return made as Status;
  };
  const asAlice = async (id: string): Promise<Status> => {
    await server.waitUntilIdle();
    return (await server.call('GET', `/api/v1/statuses/${id}`, { token: alice.token })).body as Status;
  };

  it('act in the name of the user, and lead back to the same post of their page', async () => {
    const { id } = await post('A star, please');
    const { body } = await browser.open('/home?min_id=1');
    const button = load(body as string).one('button', { formaction: `/web/v1/statuses/${id}/favourite` });
    expect(button?.attributes).to.include({ 'aria-pressed': 'false', form: 'act' });

    const pressed = await browser.press(`/web/v1/statuses/${id}/favourite`);
    expect(pressed.status).to.equal(303);
    expect(locationOf(pressed)).to.equal(`/home?min_id=1#s${id}`);
    expect((await asAlice(id)).favourited).to.equal(true);

    const again = load((await browser.open('/home')).body as string);
    const undo = again.one('button', { formaction: `/web/v1/statuses/${id}/unfavourite` });
    expect(undo?.attributes).to.include({ 'aria-pressed': 'true' });
  });

  it('answer the script with the changed post alone', async () => {
    const { id } = await post('A fragment, please');
    await browser.open('/settings');
    browser.headers['X-Rookery-Fragment'] = '1';
    const { status, body } = await browser.press(`/web/v1/statuses/${id}/bookmark`);
    expect(status).to.equal(200);
    expect(body)
      .to.match(/^\s*<article/)
      .and.include(`/web/v1/statuses/${id}/unbookmark`);
  });

  it('show why the API refused, and change nothing', async () => {
    const { id } = await post('@bob for me alone', { visibility: 'private' });
    await browser.open('/home');
    const refused = await browser.press(`/web/v1/statuses/${id}/reblog`);
    expect(refused.status).to.equal(403);
    expect(headingOf(refused)).to.equal('Not possible');
    expect(alertOf(refused)).to.include('not allowed');
    expect((await asAlice(id)).reblogged).to.equal(false);
  });

  for (const id of ['1', 'nonsense', '99999999999999999999']) {
    it(`answer 404 for a post with the id ${id}`, async () => {
      await browser.open('/home');
      expect((await browser.press(`/web/v1/statuses/${id}/favourite`)).status).to.equal(404);
    });
  }

  it('do nothing without the token of the form', async () => {
    const { id } = await post('Not by strangers');
    await browser.open('/home');
    const answer = await browser.post(`/web/v1/statuses/${id}/favourite`, {
      csrf_token: 'x',
      return_to: '/home',
    });
    expect(answer.status).to.equal(403);
    expect(alertOf(answer)).to.include('Nothing was sent yet');
    expect((await asAlice(id)).favourited).to.equal(false);
  });

  it('lead a user whose session has ended to sign in, and back to their page', async () => {
    const { id } = await post('After the session');
    await browser.open('/home');
    browser.cookies.clear();
    const answer = await browser.press(`/web/v1/statuses/${id}/favourite`);
    expect(locationOf(answer)).to.equal('/auth/sign_in?return_to=%2Fhome');
  });

  it('do nothing for a page of a user who is signed in as someone else meanwhile', async () => {
    const { id } = await post('Two tabs');
    await browser.open('/home');
    const other = await signedIn(server, 'bob');
    browser.cookies.clear();
    for (const [name, value] of other.cookies) browser.cookies.set(name, value);
    const answer = await browser.press(`/web/v1/statuses/${id}/favourite`);
    expect(alertOf(answer)).to.include('signed in as another account');
    expect((await asAlice(id)).favourites_count).to.equal(0);
  });

  it('never lead to another server', async () => {
    const { id } = await post('Back home');
    await browser.open('/home');
    const answer = await browser.press(`/web/v1/statuses/${id}/favourite`, { return_to: '//far.example/' });
    expect(locationOf(answer)).to.equal(`/home#s${id}`);
  });

  it('count against the limits of the API', async () => {
    const limited = await startTestServer({ RATE_LIMITS: 'on', RATE_LIMIT_EXEMPT_LOOPBACK: 'off' });
    try {
      await limited.user('carol');
      const carol = await signedIn(limited, 'carol');
      const statuses: number[] = [];
      for (let turn = 0; turn < 31; turn += 1) {
        await carol.open('/home');
        statuses.push((await carol.press('/web/v1/statuses/1/unreblog')).status);
      }
      expect([statuses[0], statuses.at(-1)]).to.deep.equal([404, 429]);
    } finally {
      await limited.close();
    }
  });
});

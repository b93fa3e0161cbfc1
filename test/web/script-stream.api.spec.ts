import { expect } from 'chai';
import { signedIn } from '../account-pages/support.ts';
import type { Browser } from '../oauth/client.ts';
import { EventSource } from '../streaming/support.ts';
import { eventually } from '../support/eventually.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

describe('The stream of a page of the web client', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
    bob = await server.user('bob');
  });
  after(() => server.close());

  const cookieOf = ({ cookieHeader }: Browser): Record<string, string> => ({ Cookie: cookieHeader });
  const open = async (headers: Record<string, string>, stream = 'user'): Promise<EventSource> => {
    const abort = new AbortController();
    const query = stream.includes('=') ? stream : `stream=${stream}`;
    const response = await fetch(`${server.url}/web/streaming?${query}`, { headers, signal: abort.signal });
    return new EventSource(response, abort);
  };
  const refused = async (headers: Record<string, string>, stream?: string): Promise<number> => {
    const events = await open(headers, stream);
    events.close();
    return events.response.status;
  };
  const post = async ({ token }: TestUser, status: string): Promise<string> => {
    const { body } = await server.call('POST', '/api/v1/statuses', { token, body: { status } });
    return (body as { id: string }).id;
  };
  const next = async (events: EventSource) => {
    const { stream, event, payload } = JSON.parse((await events.next()).data) as Record<string, string>;
    return { stream, event, id: (JSON.parse(payload ?? '') as { id?: string }).id };
  };
  /** Resolves when the server has ended the stream. */
  const ended = (events: EventSource): Promise<string> =>
    events.until(() => false).then(String, (error: Error) => error.message);

  it('sends the events of all its channels to a signed-in user, each with its name', async () => {
    const browser = await signedIn(server, 'alice');
    const events = await open(cookieOf(browser), 'public:local,user:notification');
    expect(events.response.headers.get('access-control-allow-origin')).to.equal(null);
    expect(events.response.headers.get('cache-control')).to.equal('private, no-store');
    const id = await post(bob, 'hello');
    expect(await next(events)).to.deep.equal({ stream: ['public:local'], event: 'update', id });
    await server.call('POST', `/api/v1/accounts/${alice.id}/follow`, { token: bob.token });
    expect(await next(events)).to.deep.include({ stream: ['user:notification'], event: 'notification' });
    events.close();
  });

  it('is refused to strangers and to pages of other origins', async () => {
    const cookie = cookieOf(await signedIn(server, 'alice'));
    expect(await refused({})).to.equal(401);
    expect(await refused({ Cookie: 'rookery_session=nonsense' })).to.equal(401);
    expect(await refused({ Authorization: `Bearer ${alice.token}` })).to.equal(401);
    for (const from of ['cross-site', 'same-site', 'none'])
      expect(await refused({ ...cookie, 'Sec-Fetch-Site': from }), from).to.equal(403);
    for (const origin of ['https://elsewhere.example', 'null'])
      expect(await refused({ ...cookie, Origin: origin }), origin).to.equal(403);
    const own = { ...cookie, 'Sec-Fetch-Site': 'same-origin', Origin: server.app.instance.origin };
    expect(await refused(own)).to.equal(200);
  });

  it('is refused for unknown and for too many channels, and for lists of others', async () => {
    const cookie = cookieOf(await signedIn(server, 'alice'));
    const { body } = await server.call('POST', '/api/v1/lists', {
      token: bob.token,
      body: { title: 'Friends' },
    });
    expect(await refused(cookie, '')).to.equal(400);
    expect(await refused(cookie, 'nonsense')).to.equal(400);
    expect(await refused(cookie, 'user,public,direct,public:local')).to.equal(400);
    expect(await refused(cookie, 'stream=hashtag')).to.equal(400);
    expect(await refused(cookie, `stream=list&list=${(body as { id: string }).id}`)).to.equal(401);
  });

  it('is refused after signing out, and to a suspended user', async () => {
    const browser = await signedIn(server, 'alice');
    const before = cookieOf(browser);
    await signOut(browser);
    expect(await refused(before)).to.equal(401);
    await server.user('dora');
    const dora = cookieOf(await signedIn(server, 'dora'));
    await suspend('dora');
    expect(await refused(dora)).to.equal(403);
  });

  it('ends when its session ends, while other sessions and apps go on', async () => {
    const [browser, other] = [await signedIn(server, 'alice'), await signedIn(server, 'alice')];
    const [events, others] = [await open(cookieOf(browser)), await open(cookieOf(other))];
    await signOut(browser);
    expect(await ended(events)).to.include('by the server');
    const id = await post(alice, 'still here');
    expect((await next(others)).id).to.equal(id);
    others.close();
  });

  it('ends when all other browsers are signed out', async () => {
    const [browser, other] = [await signedIn(server, 'alice'), await signedIn(server, 'alice')];
    const events = await open(cookieOf(other));
    await browser.open('/settings/security');
    await browser.submit('/settings/security', {}, 'value="browsers"');
    expect(await ended(events)).to.include('by the server');
  });

  it('ends when the user is suspended', async () => {
    await server.user('carol');
    const events = await open(cookieOf(await signedIn(server, 'carol')));
    await suspend('carol');
    expect(await ended(events)).to.include('by the server');
  });

  it('counts against the limit of streams of a session', async () => {
    const cookie = cookieOf(await signedIn(server, 'bob'));
    const many = await Promise.all(Array.from({ length: 25 }, () => open(cookie)));
    expect(await refused(cookie)).to.equal(429);
    for (const events of many) events.close();
    await eventually(async () => expect(await refused(cookie)).to.equal(200));
  });

  const signOut = async (browser: Browser): Promise<void> => {
    const { body } = await browser.open('/home');
    const [, token = ''] = /name="csrf_token" value="([^"]+)"/.exec(body as string) ?? [];
    const { status } = await browser.post('/auth/sign_out', { csrf_token: token });
    expect(status).to.equal(303);
  };
  const suspend = async (username: string): Promise<void> => {
    const staff = await server.user(`staff_for_${username}`, {
      role: 'Admin',
      scopes: ['read', 'write', 'admin:read', 'admin:write'],
    });
    const { body } = await server.call('GET', `/api/v1/accounts/lookup?acct=${username}`);
    const { status } = await server.call(
      'POST',
      `/api/v1/admin/accounts/${(body as { id: string }).id}/action`,
      { token: staff.token, body: { type: 'suspend' } },
    );
    expect(status).to.equal(200);
  };
});

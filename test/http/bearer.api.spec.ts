import { expect } from 'chai';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

describe('A bearer token', () => {
  let server: TestServer;
  let alice: TestUser;
  let novice: TestUser;
  let post: string;
  before(async function () {
    this.timeout(60_000);
    server = await startTestServer();
    alice = await server.user('alice');
    novice = await server.user('novice', { confirmed: false });
    const { body } = await server.call('POST', '/api/v1/statuses', {
      token: alice.token,
      body: { status: 'for everybody' },
    });
    post = (body as { id: string }).id;
  });
  after(() => server.close());

  const form = (fields: Record<string, string>): FormData => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.set(name, value);
    return data;
  };
  const statusOf = async (method: string, path: string, options?: object): Promise<number> =>
    (await server.call(method, path, options)).status;

  it('is accepted in the query, a form or JSON, under two names', async () => {
    for (const name of ['access_token', 'bearer_token']) {
      const sent = { [name]: alice.token };
      const query = new URLSearchParams(sent).toString();
      expect(await statusOf('GET', `/api/v1/accounts/verify_credentials?${query}`), name).to.equal(200);
      const favourite = `/api/v1/statuses/${post}/favourite`;
      expect(await statusOf('POST', `${favourite}?${query}`), name).to.equal(200);
      for (const body of [sent, new URLSearchParams(sent), form(sent)]) {
        expect(await statusOf('POST', favourite, { body }), name).to.equal(200);
      }
      const posted = { ...sent, status: `token as ${name}` };
      for (const body of [posted, new URLSearchParams(posted), form(posted)]) {
        const answer = await server.call('POST', '/api/v1/statuses', { body });
        expect(answer.body).to.have.nested.property('account.id', alice.id);
      }
    }
  });

  it('is taken from the header before the query, and from the query before the body', async () => {
    const path = `/api/v1/statuses/${post}/bookmark`;
    const bad = { access_token: 'bad' };
    expect(await statusOf('POST', path, { token: alice.token, body: bad })).to.equal(200);
    expect(await statusOf('POST', `${path}?access_token=${alice.token}`, { body: bad })).to.equal(200);
    expect(await statusOf('POST', `${path}?access_token=bad`, { token: alice.token })).to.equal(200);
    expect(await statusOf('POST', path, { token: 'bad', body: { access_token: alice.token } })).to.equal(401);
  });

  it('is not read from an unreadable body', async () => {
    for (const [body, type] of [
      ['{', 'application/json'],
      ['access_token=%', 'application/x-www-form-urlencoded'],
      [`access_token=${alice.token}`, 'text/plain'],
      [`{"access_token":["${alice.token}"]}`, 'application/json'],
    ]) {
      const headers = { 'Content-Type': type };
      expect(await statusOf('POST', '/api/v1/statuses', { body, headers }), body).to.equal(401);
      expect(await statusOf('POST', `/api/v1/statuses/${post}/favourite`, { body, headers })).to.equal(401);
    }
  });

  it('does not authorize a file upload when it is in the form', async () => {
    const upload = form({ access_token: alice.token });
    upload.set('file', new Blob(['x']), 'x.png');
    expect(await statusOf('POST', '/api/v2/media', { body: upload })).to.equal(401);
  });

  it('can read public data when it is invalid or revoked, and nothing else', async () => {
    const revoked = await server.tokenFor(alice.id, ['read']);
    const caller = await server.app.authenticator.authenticate(revoked);
    await server.app.tokens.revoke(revoked, caller?.token.application_id ?? '');
    for (const token of ['nonsense', revoked]) {
      for (const path of [
        '/api/v1/timelines/public',
        `/api/v1/accounts/${alice.id}`,
        '/api/v1/trends/tags',
        `/api/v1/statuses/${post}`,
      ]) {
        const answer = await server.call('GET', path, { token });
        expect(answer.status, path).to.equal(200);
        expect(answer.body).to.not.have.property('favourited');
      }
      expect(await statusOf('GET', '/api/v1/timelines/home', { token })).to.equal(401);
    }
    expect(await statusOf('GET', '/api/v1/accounts/verify_credentials', { token: 'bad' })).to.equal(401);
  });

  it('lets an unconfirmed user read public data and show its application', async () => {
    const { token } = novice;
    for (const path of ['timelines/public', 'apps/verify_credentials', `statuses/${post}`]) {
      expect(await statusOf('GET', `/api/v1/${path}`, { token }), path).to.equal(200);
    }
    for (const path of ['timelines/home', 'accounts/verify_credentials', 'preferences']) {
      expect(await statusOf('GET', `/api/v1/${path}`, { token }), path).to.equal(403);
    }
    const another = {
      username: 'other',
      email: 'other@example.org',
      password: 'correct horse',
      agreement: true,
    };
    expect(await statusOf('POST', '/api/v1/accounts', { token, body: another })).to.equal(403);
  });

  it('is reported as missing in the words of Mastodon', async () => {
    const users = { error: 'This method requires an authenticated user' };
    const staff = { error: 'This action is not allowed' };
    const scope = { error: 'This action is outside the authorized scopes' };
    const application = await server.tokenFor(undefined, ['read']);
    for (const [path, token, status, body] of [
      ['/api/v1/accounts/verify_credentials', undefined, 401, { error: 'The access token is invalid' }],
      ['/api/v1/announcements', undefined, 422, users],
      [`/api/v1/accounts/${alice.id}/identity_proofs`, undefined, 422, users],
      ['/api/v1/admin/accounts', undefined, 403, staff],
      ['/api/v1/admin/reports', undefined, 403, staff],
      ['/api/v1/accounts/verify_credentials', application, 422, users],
      ['/api/v1/push/subscription', application, 403, scope],
      ['/api/v1/admin/accounts', application, 403, scope],
    ] as const) {
      expect(await server.call('GET', path, { token }), path).to.deep.include({ status, body });
    }
  });

  it('is refused where Mastodon refuses it when it has only `read` or `follow`', async () => {
    const reader = await server.tokenFor(alice.id, ['read']);
    const follower = await server.tokenFor(alice.id, ['follow']);
    const refused = [
      ['DELETE', `/api/v1/suggestions/${novice.id}`, reader],
      ['GET', `/api/v1/accounts/relationships?id[]=${novice.id}`, follower],
      ['GET', `/api/v1/accounts/familiar_followers?id[]=${novice.id}`, follower],
      ['POST', `/api/v1/statuses/${post}/mute`, follower],
    ] as const;
    for (const [method, path, token] of refused) {
      expect(await statusOf(method, path, { token }), path).to.equal(403);
    }
    for (const path of ['blocks', 'mutes', 'domain_blocks', 'follow_requests', 'followed_tags']) {
      expect(await statusOf('GET', `/api/v1/${path}`, { token: follower }), path).to.equal(200);
    }
  });
});

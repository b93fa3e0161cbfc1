import { expect } from 'chai';
import { Redis } from 'ioredis';
import { startTestRedis, type TestRedis } from '../support/redis.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

describe('The limit of follows', function () {
  this.timeout(120_000);
  let redis: TestRedis | undefined;
  let client: Redis | undefined;
  let server: TestServer | undefined;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;

  before(async function () {
    redis = await startTestRedis();
    if (!redis) this.skip();
    client = new Redis(redis.url);
    server = await startTestServer({
      REDIS_URL: redis.url,
      RATE_LIMITS: 'on',
      RATE_LIMIT_EXEMPT_LOOPBACK: 'false',
    });
    [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  });
  after(async () => {
    await server?.close();
    client?.disconnect();
    await redis?.stop();
  });

  const post = (path: string, body: object = {}) => server!.call('POST', path, { token: alice.token, body });
  const follow = (target: TestUser, body?: object) => post(`/api/v1/accounts/${target.id}/follow`, body);
  const key = async (): Promise<string | undefined> => (await client!.keys('*limit:follows:account:*'))[0];
  const used = async (): Promise<number> => {
    const name = await key();
    return name === undefined ? 0 : Number(await client!.get(name));
  };

  it('counts new follows, but neither changed settings nor refused requests', async () => {
    const first = await follow(bob);
    expect(first.status).equal(200);
    expect(first.headers.get('x-ratelimit-limit'), 'the general limit ends sooner').equal('300');
    expect(await used()).equal(1);
    expect((await follow(bob, { reblogs: false })).status).equal(200);
    expect((await follow(bob, { notify: true })).status).equal(200);
    expect((await post('/api/v1/follows', { uri: 'bob' })).status).equal(200);
    expect(await used(), 'settings').equal(1);
    expect((await post('/api/v1/follows', { uri: 'carol' })).status).equal(200);
    expect(await used(), 'by name').equal(2);
    expect((await post(`/api/v1/accounts/1/follow`)).status).equal(404);
    expect((await follow(alice)).status).equal(403);
    expect(await used(), 'refused').equal(2);
  });

  it('allows changed settings after it is used up, but no new follow', async () => {
    await post(`/api/v1/accounts/${carol.id}/unfollow`);
    await client!.set((await key()) ?? '', 400, 'KEEPTTL');
    expect((await follow(bob, { reblogs: true })).status).equal(200);
    const refused = await follow(carol);
    expect(refused.status).equal(429);
    expect(refused.headers.get('x-ratelimit-limit')).equal('400');
    expect((await post('/api/v1/follows', { uri: 'carol' })).status).equal(429);
  });
});

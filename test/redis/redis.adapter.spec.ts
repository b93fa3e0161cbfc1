import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { openRedis } from '#adapters/redis/client.ts';
import { openSharedPositions } from '#adapters/redis/positions.ts';
import { createRateLimits } from '#interfaces/http/rate-limits.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

/** Waits for an event; errors of attempts to connect do not end the wait, as they would with `once` of `node:events`. */
const eventOf = (redis: Redis, event: 'close' | 'ready'): Promise<unknown> =>
  new Promise((resolve) => redis.once(event, resolve));

const figures = { default: { points: 3, seconds: 300, per: 'token' } } as const;
const alice = { ip: '203.0.113.1', accountId: '1' };

describe('State shared through Redis', () => {
  let server: TestRedis | undefined;
  let clients: Redis[];
  let errors: unknown[];

  async function connect(name = 'ours'): Promise<Redis> {
    const redis = openRedis(server!.url, name, (error) => errors.push(error));
    clients.push(redis);
    await eventOf(redis, 'ready');
    return redis;
  }

  beforeEach(async function () {
    server = await startTestRedis();
    if (!server) this.skip();
    clients = [];
    errors = [];
  });

  afterEach(async () => {
    for (const client of clients ?? []) client.disconnect();
    await server?.stop();
  });

  const positions = async (name?: string) =>
    openSharedPositions(await connect(name), (error) => errors.push(error));

  it('contains the position that an owner wrote', async () => {
    const [one, other] = [await positions(), await positions()];
    expect(await other.get('alice')).to.equal(undefined);
    one.set('alice', 42n);
    expect(await one.get('alice')).to.equal(42n);
    expect(await other.get('alice')).to.equal(42n);
    expect(await other.get('bob')).to.equal(undefined);
  });

  it('contains nothing of another server', async () => {
    const [ours, theirs] = [await positions(), await positions('theirs')];
    theirs.set('alice', 42n);
    expect(await theirs.get('alice')).to.equal(42n);
    expect(await ours.get('alice')).to.equal(undefined);
  });

  it('contains the largest position, beyond the range of a number', async () => {
    const shared = await positions();
    const last = async (...given: bigint[]) => {
      for (const position of given) shared.set('alice', position);
      return shared.get('alice');
    };
    expect(await last(9n, 10n)).to.equal(10n);
    expect(await last(9n)).to.equal(10n);
    expect(await last(9007199254740994n, 9007199254740993n)).to.equal(9007199254740994n);
    expect(await last(18446744073709551615n)).to.equal(18446744073709551615n);
  });

  it('keeps positions for a minute only', async () => {
    const redis = await connect();
    const shared = openSharedPositions(redis, (error) => errors.push(error));
    shared.set('alice', 1n);
    await shared.get('alice');
    expect(await redis.keys('*')).to.eql(['rookery:ours:position:alice']);
    expect(await redis.ttl('position:alice')).to.be.within(1, 60);
  });

  it('is unknown while Redis is down, which is reported once', async () => {
    const redis = await connect();
    const shared = openSharedPositions(redis, (error) => errors.push(error));
    const gone = eventOf(redis, 'close');
    await server?.kill();
    await gone;
    errors = [];
    for (let i = 0; i < 10; i += 1) {
      shared.set('alice', 1n);
      expect(await shared.get('alice')).to.equal('unknown');
    }
    await setImmediate();
    expect(errors.filter((error) => String(error).includes('writeable'))).to.have.length(1);
  });

  it('is unknown when Redis has just come back, because it lacks the writes during the outage', async () => {
    const redis = await connect();
    const shared = openSharedPositions(redis, (error) => errors.push(error));
    const gone = eventOf(redis, 'close');
    await server?.kill();
    await gone;
    const back = eventOf(redis, 'ready');
    await server?.startAgain();
    await back;
    expect(await shared.get('alice')).to.equal('unknown');
  });

  it('is not waited for when Redis accepts connections and does not respond', async () => {
    const redis = await connect();
    const limits = createRateLimits({ redis, enabled: true, exemptLoopback: false });
    const gone = eventOf(redis, 'close');
    server?.hang();
    await limits.limit('default', alice);
    await gone;
    // Unanswered commands would otherwise queue, and each request would wait for it.
    const asked = Array.from({ length: 50 }, () => redis.get('x').catch(String));
    const answers = new Set(await Promise.all(asked));
    expect([...answers]).to.deep.equal([
      "Error: Stream isn't writeable and enableOfflineQueue options is false",
    ]);
    expect(errors.map(String).join()).to.include('Socket timeout');
  });

  it('contains the count of requests', async () => {
    const [one, other] = [await connect(), await connect()].map((redis) =>
      createRateLimits({ redis, enabled: true, exemptLoopback: false, figures }),
    );
    await one!.limit('default', alice);
    expect(await other!.limit('default', alice)).to.include({ 'X-RateLimit-Remaining': '1' });
    await one!.limit('default', alice);
    const error = await other!.limit('default', alice).catch((reason: unknown) => reason);
    expect(isRookeryError(error) && error.code).to.equal('too_many_requests');
  });

  it('contains no e-mail address and no token', async () => {
    const redis = await connect();
    const limits = createRateLimits({ redis, enabled: true, exemptLoopback: false });
    await limits.limitKey('sign_in', 'alice@example.org');
    expect((await redis.keys('*')).join()).to.match(/^rookery:ours:limit:sign_in:key:[\w-]{43}$/);
  });

  it('has no counts while Redis is down: each process counts by itself', async () => {
    const redis = await connect();
    const limits = createRateLimits({ redis, enabled: true, exemptLoopback: false, figures });
    await limits.limit('default', alice);
    const gone = eventOf(redis, 'close');
    await server?.kill();
    await gone;
    for (let i = 0; i < 3; i += 1) await limits.limit('default', alice);
    const error = await limits.limit('default', alice).catch((reason: unknown) => reason);
    expect(isRookeryError(error) && error.code).to.equal('too_many_requests');
  });
});

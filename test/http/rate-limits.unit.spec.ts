import { expect } from 'chai';
import { endpoints } from '#app/routes.ts';
import { createRateLimits, RATE_LIMITS, type RateLimits } from '#interfaces/http/rate-limits.ts';
import { isRookeryError } from '#kernel/errors.ts';

const alice = { ip: '203.0.113.1', accountId: '1', tokenId: '11' };
const anybody = { ip: '203.0.113.1', accountId: undefined };

/** Returns the headers of the refusal, or undefined when the request is allowed. */
async function refusal(attempt: Promise<unknown>): Promise<Record<string, string> | undefined> {
  try {
    await attempt;
    return undefined;
  } catch (error) {
    if (!isRookeryError(error)) throw error;
    expect(error.code).to.equal('too_many_requests');
    expect(error.message).to.equal('Too many requests');
    return error.extras.headers;
  }
}

describe('Rate limits', () => {
  const open = (figures: Parameters<typeof createRateLimits>[0]['figures'] = {}): RateLimits =>
    createRateLimits({ enabled: true, exemptLoopback: false, figures });

  it('are those that Mastodon documents', () => {
    expect(RATE_LIMITS.default).to.deep.include({ points: 300, seconds: 300 });
    expect(RATE_LIMITS.account).to.deep.include({ points: 1_500, seconds: 300 });
    expect(RATE_LIMITS.apps).to.deep.include({ points: 5, seconds: 600 });
    expect(RATE_LIMITS.media).to.deep.include({ points: 30, seconds: 1_800 });
    expect(RATE_LIMITS.deletes).to.deep.include({ points: 30, seconds: 1_800 });
    expect(RATE_LIMITS.follows).to.deep.include({ points: 400, seconds: 86_400 });
    expect(RATE_LIMITS.reports).to.deep.include({ points: 400, seconds: 86_400 });
    expect(RATE_LIMITS.sign_up).to.deep.include({ points: 5, seconds: 1_800 });
    expect(RATE_LIMITS.confirmations).to.deep.include({ points: 5, seconds: 1_800, per: 'account' });
  });

  it('count each request in the same family as Mastodon', () => {
    const familyOf = (method: string, path: string): unknown =>
      endpoints.find((each) => each.method === method && each.path === path)?.limit;
    expect(familyOf('POST', '/api/v1/accounts/:id/follow')).to.equal('follows');
    expect(familyOf('POST', '/api/v1/follows')).to.equal('follows');
    expect(familyOf('POST', '/api/v1/reports')).to.equal('reports');
    expect(familyOf('POST', '/api/v1/statuses/:id/reblog')).to.equal('statuses');
    expect(familyOf('POST', '/api/v1/statuses/:id/unreblog')).to.equal('deletes');
    expect(familyOf('DELETE', '/api/v1/statuses/:id')).to.equal('deletes');
  });

  it('report the rest and the reset time on every reply', async () => {
    const limits = open();
    await limits.limit('default', alice);
    const headers = await limits.limit('default', alice);
    expect(headers).to.include({ 'X-RateLimit-Limit': '300', 'X-RateLimit-Remaining': '298' });
    const reset = headers['X-RateLimit-Reset'] ?? '';
    expect(reset).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
    expect(Date.parse(reset)).to.be.within(Date.now() + 200_000, Date.now() + 300_000);
  });

  it('refuse requests above the limit with the time to retry', async () => {
    const limits = open({ default: { points: 2, seconds: 300, per: 'token' } });
    await limits.limit('default', alice);
    await limits.limit('default', alice);
    const headers = await refusal(limits.limit('default', alice));
    expect(headers).to.include({ 'X-RateLimit-Limit': '2', 'X-RateLimit-Remaining': '0' });
    expect(Number(headers?.['Retry-After'])).to.be.within(1, 300);
  });

  it('count a token at any address, and anonymous callers by their address', async () => {
    const limits = open({ default: { points: 1, seconds: 300, per: 'token' } });
    await limits.limit('default', alice);
    expect(await refusal(limits.limit('default', { ...alice, ip: '203.0.113.9' }))).to.be.an('object');
    expect(await refusal(limits.limit('default', { ...alice, tokenId: '12' }))).to.equal(undefined);
    expect(await refusal(limits.limit('default', anybody))).to.equal(undefined);
    expect(await refusal(limits.limit('default', anybody))).to.be.an('object');
  });

  it('count all tokens of an account together', async () => {
    const limits = open({ account: { points: 2, seconds: 300, per: 'account' } });
    for (const tokenId of ['11', '12']) await limits.limit('default', { ...alice, tokenId });
    expect(await refusal(limits.limit('default', { ...alice, tokenId: '13' }))).to.be.an('object');
    expect(await refusal(limits.limit('default', { ...alice, accountId: '2' }))).to.equal(undefined);
  });

  it('count the addresses of one IPv6 network as one client', async () => {
    const limits = open({ default: { points: 1, seconds: 300, per: 'token' } });
    const from = (ip: string) => refusal(limits.limit('default', { ip, accountId: undefined }));
    expect(await from('2001:db8:0:7::1')).to.equal(undefined);
    expect(await from('2001:db8:0:7:ffff:1:2:3')).to.be.an('object');
    expect(await from('2001:db8:0:8::1')).to.equal(undefined);
    expect(await from('2001:db8::1')).to.equal(undefined);
    expect(await from('2001:db8::2:1')).to.be.an('object');
  });

  it('count one IPv6 network as one client also for sign-in attempts', async () => {
    const limits = open({ sign_in: { points: 1, seconds: 300, per: 'address' } });
    const tried = (key: string) => refusal(limits.limitKey('sign_in', key));
    expect(await tried('ip:2001:db8:0:7::1')).to.equal(undefined);
    expect(await tried('ip:2001:db8:0:7:ffff:1:2:3')).to.be.an('object');
    expect(await tried('ip:2001:db8:0:8::1')).to.equal(undefined);
    expect(await tried('login:2001:db8:0:7::1')).to.equal(undefined);
    expect(await tried('login:2001:db8:0:7::2')).to.equal(undefined);
  });

  it('report the limit that is closest to its end', async () => {
    const limits = open();
    expect(await limits.limit('deletes', alice)).to.include({
      'X-RateLimit-Limit': '30',
      'X-RateLimit-Remaining': '29',
    });
    for (let i = 0; i < 280; i += 1) await limits.limit('default', alice);
    expect(await limits.limit('deletes', alice)).to.include({
      'X-RateLimit-Limit': '300',
      'X-RateLimit-Remaining': '18',
    });
  });

  it('let an account that reached the limit for deletions continue to read', async () => {
    const limits = open({ deletes: { points: 1, seconds: 300, per: 'account' } });
    await limits.limit('deletes', alice);
    expect(await refusal(limits.limit('deletes', alice))).to.include({ 'X-RateLimit-Limit': '1' });
    expect(await refusal(limits.limit('default', alice))).to.equal(undefined);
  });

  it('count sign-ups by address, whatever the token', async () => {
    const limits = open();
    for (let i = 0; i < 5; i += 1) await limits.limit('sign_up', { ...alice, accountId: String(i) });
    expect(await refusal(limits.limit('sign_up', anybody))).to.include({ 'X-RateLimit-Limit': '5' });
  });

  it('count sign-in attempts by their own key', async () => {
    const limits = open({ sign_in: { points: 1, seconds: 300, per: 'address' } });
    await limits.limitKey('sign_in', 'alice@example.org');
    expect(await refusal(limits.limitKey('sign_in', 'alice@example.org'))).to.be.an('object');
    expect(await refusal(limits.limitKey('sign_in', 'bob@example.org'))).to.equal(undefined);
  });

  it('exempt this machine when configured so', async () => {
    const figures = { default: { points: 0, seconds: 300, per: 'token' } } as const;
    const limits = createRateLimits({ enabled: true, exemptLoopback: true, figures });
    expect(await limits.limit('default', { ip: '127.0.0.1', accountId: '1' })).to.deep.equal({});
    expect(await limits.limit('default', { ip: '::1', accountId: '1' })).to.deep.equal({});
    expect(await refusal(limits.limit('default', alice))).to.be.an('object');
  });

  it('count nothing and send no headers when they are off', async () => {
    const limits = createRateLimits({ enabled: false, exemptLoopback: false });
    for (let i = 0; i < 400; i += 1) expect(await limits.limit('sign_up', alice)).to.deep.equal({});
    await limits.limitKey('sign_in', 'alice@example.org');
  });
});

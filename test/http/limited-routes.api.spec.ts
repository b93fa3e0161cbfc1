import { expect } from 'chai';
import { startTestServer, type TestServer } from '../support/server.ts';

/** Paths that need no token and are served outside of the endpoints. */
const OPEN = [
  ['GET', '/oauth/authorize'],
  ['POST', '/oauth/token'],
  ['POST', '/oauth/revoke'],
  ['GET', '/oauth/userinfo'],
  ['GET', '/actor'],
  ['GET', '/.well-known/host-meta'],
  ['GET', '/api/openapi.json'],
] as const;

describe('Public routes', () => {
  let server: TestServer;

  before(async () => {
    server = await startTestServer({ RATE_LIMITS: 'true', RATE_LIMIT_EXEMPT_LOOPBACK: 'false' });
  });
  after(() => server.close());

  it('are refused above the limit for an address', async () => {
    const statuses = new Set<number>();
    for (let n = 0; n < 300; n += 1) statuses.add((await server.call('GET', '/actor')).status);
    expect([...statuses]).to.deep.equal([200]);
    for (const [method, path] of OPEN) {
      const { status, headers } = await server.call(method, path);
      expect([path, status]).to.deep.equal([path, 429]);
      expect(Number(headers.get('retry-after'))).to.be.within(1, 300);
    }
  });

  it('register at most five apps in ten minutes', async () => {
    const fresh = await startTestServer({ RATE_LIMITS: 'true', RATE_LIMIT_EXEMPT_LOOPBACK: 'false' });
    try {
      const body = { client_name: 'App', redirect_uris: 'https://app.example/' };
      const statuses: number[] = [];
      for (let n = 0; n < 6; n += 1)
        statuses.push((await fresh.call('POST', '/api/v1/apps', { body })).status);
      expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 429]);
    } finally {
      await fresh.close();
    }
  });
});

import { expect } from 'chai';
import { startTestServer, type TestServer } from '../support/server.ts';

describe('A deprecated endpoint', () => {
  let server: TestServer;
  before(async function () {
    this.timeout(60_000);
    server = await startTestServer();
  });
  after(() => server.close());

  it('sends the date of its deprecation, also with a refusal', async () => {
    const { id, token } = await server.user('alice');
    const days = {
      '/api/v1/instance': '2022-11-14',
      '/api/v1/filters': '2022-11-14',
      '/api/v1/suggestions': '2021-05-16',
      '/api/v1/trends': '2022-03-30',
      [`/api/v1/accounts/${id}/identity_proofs`]: '2022-03-30',
    };
    for (const [path, day] of Object.entries(days)) {
      for (const caller of [token, undefined]) {
        const { headers } = await server.call('GET', path, { token: caller });
        expect(headers.get('deprecation'), path).to.equal(`@${Date.parse(day) / 1_000}`);
      }
    }
    for (const path of ['/api/v2/instance', '/api/v1/trends/tags', '/api/v2/suggestions']) {
      expect((await server.call('GET', path, { token })).headers.has('deprecation'), path).to.equal(false);
    }
  });
});

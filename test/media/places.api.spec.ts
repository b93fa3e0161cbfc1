import { expect } from 'chai';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { picture, uploadForm } from '../support/uploads.ts';

/** Concurrent requests of one account: more than an account may run at once, fewer than all accounts together may. */
const AT_ONCE = 16;

describe('Concurrent uploads of one account', () => {
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;

  before(async function () {
    this.timeout(60_000);
    server = await startTestServer({ RATE_LIMITS: 'on', RATE_LIMIT_EXEMPT_LOOPBACK: 'off' });
    alice = await server.user('alice');
    bob = await server.user('bob');
  });
  after(() => server.close());

  const change = (form: FormData): Promise<Answer> =>
    server.call('PATCH', '/api/v1/accounts/update_credentials', { token: alice.token, body: form });

  it('leave slots to other accounts, and refused ones do not count as media', async () => {
    const large = new Uint8Array(await picture(2_000, 2_000, 'webp'));
    const form = (): FormData => {
      const pictures = new FormData();
      for (const name of ['avatar', 'header']) pictures.set(name, new Blob([large]), 'picture.webp');
      return pictures;
    };
    const changes = Promise.all(Array.from({ length: AT_ONCE }, () => change(form())));
    const upload = await server.call('POST', '/api/v2/media', {
      token: bob.token,
      body: uploadForm(await picture(64, 48)),
    });
    expect(upload.status).to.equal(200);
    const statuses = (await changes).map(({ status }) => status);
    const done = statuses.filter((status) => status === 200).length;
    expect(new Set(statuses)).to.deep.equal(new Set([200, 503]));
    const next = await server.call('POST', '/api/v2/media', {
      token: alice.token,
      body: uploadForm(await picture(64, 48)),
    });
    expect(next.status).to.equal(200);
    expect(next.headers.get('X-RateLimit-Limit')).to.equal('30');
    expect(next.headers.get('X-RateLimit-Remaining')).to.equal(String(30 - done - 1));
  });

  it('count as media only when the request contains a picture', async () => {
    const form = new FormData();
    form.set('display_name', 'Alice');
    const { status, headers } = await change(form);
    expect(status).to.equal(200);
    expect(headers.get('X-RateLimit-Limit')).to.equal('300');
  });
});

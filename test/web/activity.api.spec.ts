import { expect } from 'chai';
import { createAccount } from '#commands/accounts/index.ts';
import { signedIn } from '../account-pages/support.ts';
import { eventually } from '../support/eventually.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

describe('A user of the web client', function () {
  this.timeout(60_000);
  let server: TestServer;

  before(async () => (server = await startTestServer()));
  after(() => server.close());

  it('counts as active', async () => {
    const id = await createAccount(server.app.systemContext('spec'), {
      username: 'alice',
      email: 'alice@example.org',
      password: 'correct horse alice',
      locale: 'en',
      confirmed: true,
      approved: true,
      role: null,
      reason: null,
      applicationId: null,
      signUpIp: null,
    });
    await server.waitUntilIdle();
    const browser = await signedIn(server, 'alice');
    expect((await browser.open('/home')).status).to.equal(200);
    await eventually(async () => {
      const [user] = await server.app.db.query(
        'select last_active_on = current_date as active from users where account_id = $1',
        [id],
      );
      expect(user).to.deep.equal({ active: true });
    });
  });
});

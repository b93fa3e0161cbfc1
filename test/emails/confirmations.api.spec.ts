import { expect } from 'chai';
import { requestPasswordReset } from '#commands/accounts/index.ts';
import { pushed } from '../push/support.ts';
import { linksMailedTo } from '../support/mails.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

describe('Confirmation mails', () => {
  let server: TestServer;
  let alice: TestUser;

  before(async function () {
    this.timeout(60_000);
    server = await startTestServer();
    alice = await server.user('alice', { confirmed: false });
  });
  after(() => server.close());

  const ask = (body: object, token = alice.token) =>
    server.call('POST', '/api/v1/emails/confirmations', { token, body });
  const mails = (address: string) => linksMailedTo(address, server.app.config.dataDir);

  it('are sent again on request', async () => {
    expect(await ask({})).to.deep.include({ status: 200, body: {} });
    const [row] = await server.app.db.query<{ email: string }>(
      `select email from users where account_id = ${alice.id}`,
    );
    expect(await mails(row?.email ?? '')).to.have.lengthOf(1);
  });

  it('go to a corrected address, after which links sent to the old one are invalid', async () => {
    await ask({ email: 'typo@example.org' });
    expect((await ask({ email: 'Right@example.org' })).status).to.equal(200);
    const [old] = await mails('typo@example.org');
    const [right] = await mails('right@example.org');
    const open = async (link: string | undefined): Promise<number> => {
      const { pathname, search } = new URL(link ?? '');
      return (await server.call('GET', pathname + search)).status;
    };
    expect(await open(old)).to.equal(410);
    expect(await open(right)).to.equal(200);
  });

  it('are refused once the address is confirmed', async () => {
    expect(await ask({})).to.deep.include({
      status: 403,
      body: { error: 'This method is only available while the e-mail is awaiting confirmation' },
    });
  });

  it('are refused to any application but the one the user signed up with', async () => {
    const bob = await server.user('bob', { confirmed: false });
    const { body } = await server.call('POST', '/api/v1/apps', {
      body: { client_name: 'other', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scopes: 'read write' },
    });
    const other = await server.app.tokens.issue({
      applicationId: (body as { id: string }).id,
      accountId: bob.id,
      scopes: ['write'],
    });
    expect(await ask({}, other.access_token)).to.deep.include({
      status: 403,
      body: { error: 'This method is only available to the application the user originally signed-up with' },
    });
  });

  it('are refused for an invalid or taken address, and sent to one that another user gave up', async () => {
    const carol = await server.user('carol', { confirmed: false });
    for (const email of ['nonsense', '', ' ', null]) {
      expect((await ask({ email }, carol.token)).status, String(email)).to.equal(422);
    }
    const taken = await ask({ email: 'r.ight@example.org' }, carol.token);
    expect(taken.status).to.equal(422);
    expect(taken.body.details.email[0].error).to.equal('ERR_TAKEN');
    expect((await ask({ email: 'typo@example.org' }, carol.token)).status).to.equal(200);
  });

  it('are limited with password resets to ten an hour per mailbox, in any spelling', async () => {
    const carol = await server.user('caroline', { confirmed: false });
    for (let n = 0; n < 9; n += 1) {
      expect((await ask({ email: `carol+${n}@example.org` }, carol.token)).status).to.equal(200);
    }
    expect((await ask({ email: 'c.arol@example.org' }, carol.token)).status).to.equal(200);
    expect(await ask({}, carol.token)).to.deep.include({
      status: 429,
      body: { error: 'Too many mails went to this address. Please try again in an hour' },
    });
    await requestPasswordReset(server.app.systemContext('spec'), 'c.arol@example.org');
    await pushed(server);
    // The password reset mail is not retried.
    const left = await server.app.db.query(`select state from jobs.job where name = 'password-reset-mail'`);
    expect(left).to.deep.equal([]);
    expect(await mails('c.arol@example.org')).to.have.length(1);
    // The limit does not affect other mailboxes, and it ends after a day.
    const dora = await server.user('dora', { confirmed: false });
    expect((await ask({}, dora.token)).status).to.equal(200);
    await server.app.db.query(`update durable.bounded_mails set since = since - interval '25 hours'`);
    expect((await ask({}, carol.token)).status).to.equal(200);
    const [counts] = await server.app.db.query<{ rows: number; mails: number }>(
      'select count(*)::int as rows, max(mails)::int as mails from durable.bounded_mails',
    );
    expect(counts).to.deep.equal({ rows: 1, mails: 1 });
  });
});

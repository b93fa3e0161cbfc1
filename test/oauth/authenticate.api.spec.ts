import { expect } from 'chai';
import { type Authenticator, createAuthenticator } from '#interfaces/oauth/authenticate.ts';
import type { Notifications } from '#kernel/listening.ts';
import type { Database } from '#storage/postgres/db.ts';
import { openNotifications } from '#storage/postgres/notifications.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

describe('The authentication of requests', () => {
  let server: TestServer;
  let alice: TestUser;
  let statements = 0;
  let here: Authenticator;
  let elsewhere: Authenticator;
  let notifications: Notifications;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
    const { db } = server.app;
    const counting: Database = {
      ...db,
      query: (statement, values) => {
        statements += 1;
        return db.query(statement, values);
      },
    };
    here = await createAuthenticator(counting, server.app.tokenDigests);
    notifications = await openNotifications(server.app.config.database.url ?? '');
    elsewhere = await createAuthenticator(db, server.app.tokenDigests, { notifications });
  });
  after(async () => {
    await notifications.close();
    await server.close();
  });

  /** Waits until another process has received the notification. The timeout of the test bounds it. */
  const eventually = async (holds: () => Promise<boolean>): Promise<void> => {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 2));
  };

  it('returns the token and its user', async () => {
    const caller = await here.authenticate(alice.token);
    expect(caller?.token).to.include({ account_id: alice.id });
    expect(caller?.token.scopes).to.include('write');
    expect(caller?.viewer).to.deep.equal({
      account_id: alice.id,
      username: 'alice',
      role: null,
      confirmed: true,
      approved: true,
      disabled: false,
      suspended: false,
      moved: false,
    });
  });

  it('looks up users who may not act each time, so that an approval takes effect immediately', async () => {
    const { id, token } = await server.user('dave', { confirmed: false });
    expect((await here.authenticate(token))?.viewer?.confirmed).to.equal(false);
    await server.app.db.query('update users set confirmed = true where account_id = $1', [id]);
    expect((await here.authenticate(token))?.viewer?.confirmed).to.equal(true);
    await server.app.db.query('update users set confirmed = false where account_id = $1', [id]);
  });

  it('returns an application without a user', async () => {
    const caller = await here.authenticate(await server.tokenFor(undefined, ['read']));
    expect(caller?.viewer).to.equal(undefined);
    expect(caller?.token).not.to.have.property('account_id');
  });

  it('returns nothing for invented tokens', async () => {
    for (const bearer of ['', 'nonsense', 'x'.repeat(100_000), '\0']) {
      expect(await here.authenticate(bearer)).to.equal(undefined);
    }
  });

  it('queries the database once for many requests, also concurrent ones', async () => {
    const token = await server.tokenFor(alice.id, ['read']);
    statements = 0;
    await Promise.all(Array.from({ length: 20 }, () => here.authenticate(token)));
    await here.authenticate(token);
    expect(statements).to.equal(1);
  });

  it('returns the same array for equal scopes, which are then evaluated once', async () => {
    const [one, two] = [await server.tokenFor(alice.id, ['push']), await server.tokenFor(alice.id, ['push'])];
    expect((await here.authenticate(one))?.token.scopes).to.equal(
      (await here.authenticate(two))?.token.scopes,
    );
  });

  it('drops a cached account on request', async () => {
    await here.authenticate(alice.token);
    statements = 0;
    here.invalidate('1');
    await here.authenticate(alice.token);
    expect(statements).to.equal(0);
    here.invalidate(alice.id);
    await here.authenticate(alice.token);
    expect(statements).to.equal(1);
  });

  it('caches no row that was read before a change', async () => {
    const token = await server.tokenFor(alice.id, ['read']);
    const early = here.authenticate(token);
    here.invalidate(alice.id);
    await early;
    statements = 0;
    await here.authenticate(token);
    expect(statements).to.equal(1);
  });

  it('learns in every process of revoked tokens', async () => {
    const bob = await server.user('bob');
    expect(await elsewhere.authenticate(bob.token)).not.to.equal(undefined);
    await server.app.tokens.revokeAllOf(bob.id);
    expect(await server.app.authenticator.authenticate(bob.token)).to.equal(undefined);
    await eventually(async () => (await elsewhere.authenticate(bob.token)) === undefined);
  });

  it('learns in every process of a changed user', async () => {
    const dora = await server.user('dora', { confirmed: false });
    expect((await elsewhere.authenticate(dora.token))?.viewer?.confirmed).to.equal(false);
    await server.app.db.query(`update users set confirmed = true where account_id = ${dora.id}`);
    await server.app.db.query(`select pg_notify('rookery_auth', '${dora.id}')`);
    await eventually(async () => (await elsewhere.authenticate(dora.token))?.viewer?.confirmed === true);
    await server.app.db.query(`update users set confirmed = false where account_id = ${dora.id}`);
  });
});

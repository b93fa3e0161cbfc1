import { expect } from 'chai';
import { reserveEmail, reserveUsername } from '#commands/accounts/reservations.ts';
import { changeSettings } from '#commands/instance/index.ts';
import { idAt } from '#kernel/ids.ts';
import type { Account } from '#mastodon/schemas/index.ts';
import { linksMailedTo } from '../support/mails.ts';
import { type Answer, startTestServer, type TestServer } from '../support/server.ts';

describe('Signing up', () => {
  let server: TestServer;
  let token: string;
  let applicationId: string;

  before(async function () {
    this.timeout(60_000);
    server = await startTestServer();
    const { body } = await server.call('POST', '/api/v1/apps', {
      body: {
        client_name: 'Sign-up app',
        redirect_uris: 'myapp://callback\nhttps://app.example/welcome',
        scopes: 'read write',
      },
    });
    applicationId = (body as { id: string }).id;
    const issued = await server.app.tokens.issue({ applicationId, scopes: ['read', 'write:accounts'] });
    token = issued.access_token;
  });
  after(() => server.close());

  const person = (username: string, more: object = {}) => ({
    username,
    email: `${username}@example.org`,
    password: 'correct horse battery',
    agreement: true,
    locale: 'en',
    ...more,
  });
  const signUp = (body: object, bearer = token): Promise<Answer> =>
    server.call('POST', '/api/v1/accounts', { token: bearer, body });

  const pathOf = (link: string | undefined): string => {
    const { pathname, search } = new URL(link ?? '');
    return pathname + search;
  };
  /** Retries: the notification reaches the cache of callers a moment after the commit. */
  async function eventually(status: number, ask: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const answer = await ask();
      if (answer.status === status) return answer;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  it('returns a token that works once the address is confirmed, and leads back to the app', async () => {
    const { status, body } = await signUp(person('alice'));
    expect(status).to.equal(200);
    expect(body).to.include({ token_type: 'Bearer', scope: 'read write' });
    const mine = { token: body.access_token as string };
    const closed = await server.call('GET', '/api/v1/accounts/verify_credentials', mine);
    expect(closed).to.deep.include({
      status: 403,
      body: { error: 'Your login is missing a confirmed e-mail address' },
    });
    const check = () => server.call('GET', '/api/v1/emails/check_confirmation', mine);
    expect(await check()).to.deep.include({ status: 200, body: false });

    const links = await linksMailedTo('alice@example.org', server.app.config.dataDir);
    expect(links).to.have.lengthOf(1);
    const page = await server.call('GET', pathOf(links[0]));
    expect(page.status).to.equal(303);
    expect(page.headers.get('location')).to.equal('myapp://callback');

    const open = await eventually(200, () => server.call('GET', '/api/v1/accounts/verify_credentials', mine));
    expect(open.body).to.include({ username: 'alice', acct: 'alice' });
    expect(await check()).to.deep.include({ status: 200, body: true });

    const again = await server.call('GET', pathOf(links[0]));
    expect(again.status).to.equal(200);
    expect(again.body).to.contain('is confirmed');
  });

  it('hides the account before the confirmation, except that its name is taken', async () => {
    const { body } = await signUp(person('novice'));
    const taken = (await server.call('GET', '/api/v1/accounts/lookup?acct=novice')).body as Account;
    expect(taken).to.deep.include({ username: 'novice', display_name: '', note: '', fields: [] });
    const { id } = taken;
    const neighbour = await server.user('neighbour');
    const mine = { token: neighbour.token };
    const seen = async (): Promise<number[]> => {
      const reads = [
        '',
        '/statuses',
        '/followers',
        '/following',
        '/featured_tags',
        '/endorsements',
        '/lists',
      ];
      const statuses: number[] = [];
      for (const path of reads)
        statuses.push((await server.call('GET', `/api/v1/accounts/${id}${path}`, mine)).status);
      for (const act of ['follow', 'unfollow', 'mute', 'unmute', 'block', 'unblock', 'note'])
        statuses.push((await server.call('POST', `/api/v1/accounts/${id}/${act}`, mine)).status);
      return statuses;
    };
    const several = async (): Promise<string[]> => {
      const path = `/api/v1/accounts?id[]=${id}&id[]=${neighbour.id}`;
      return ((await server.call('GET', path)).body as { id: string }[]).map((account) => account.id);
    };
    expect(await seen()).to.deep.equal(Array(14).fill(404));
    expect(await several()).to.deep.equal([neighbour.id]);

    const [link] = await linksMailedTo('novice@example.org', server.app.config.dataDir);
    await server.call('GET', pathOf(link));
    const own = { token: body.access_token as string };
    await eventually(200, () => server.call('GET', '/api/v1/accounts/verify_credentials', own));
    expect(await seen()).to.deep.equal(Array(14).fill(200));
    expect(await several()).to.deep.equal([id, neighbour.id]);
  });

  it('stores the password for checking, and never in the log', async () => {
    const { id } = (await server.call('GET', '/api/v1/accounts/lookup?acct=alice')).body as { id: string };
    const { credentials } = server.app.contextDependencies.services;
    expect(await credentials.verifyPassword(id, 'correct horse battery')).to.equal(true);
    expect(await credentials.verifyPassword(id, 'wrong')).to.equal(false);
    const events = await server.app.log.readAll(0n, 1_000);
    expect(JSON.stringify(events.map(({ data }) => data))).not.to.contain('correct horse battery');
  });

  it('reports all problems together', async () => {
    const { status, body } = await signUp({ username: 'a b', email: '', locale: 'xx-nowhere' });
    expect(status).to.equal(422);
    expect(body.error).to.match(
      /^Validation failed: .*Password can't be blank.*Service agreement must be accepted/,
    );
    const codes = Object.entries(body.details as Record<string, { error: string }[]>).map(
      ([field, problems]) => `${field} ${problems.map(({ error }) => error).join(' ')}`,
    );
    expect(codes).to.have.members([
      'username ERR_INVALID',
      'email ERR_BLANK ERR_INVALID',
      'password ERR_BLANK',
      'agreement ERR_ACCEPTED',
    ]);
  });

  it('accepts a name once in any case, and a mailbox once in any spelling', async () => {
    await signUp(person('bob'));
    const { status, body } = await signUp(person('BOB', { email: 'B.ob+again@example.org' }));
    expect(status).to.equal(422);
    expect(body.details).to.deep.equal({
      username: [{ error: 'ERR_TAKEN', description: 'has already been taken' }],
      email: [{ error: 'ERR_TAKEN', description: 'has already been taken' }],
    });
  });

  it('lets one of several concurrent sign-ups have the same name', async () => {
    const tries = Array.from({ length: 5 }, (_, n) =>
      signUp(person('racer', { email: `racer${n}@example.org` })),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([200, 422, 422, 422, 422]);
    const loser = await signUp(person('racer_two', { email: 'racer9@example.org' }));
    expect(loser.status).to.equal(200);
    const free = await Promise.all(
      [0, 1, 2, 3, 4].map((n) => signUp(person(`second${n}`, { email: `racer${n}@example.org` }))),
    );
    expect(free.map(({ status }) => status).sort(), 'the others released their addresses').to.deep.equal([
      200, 200, 200, 200, 422,
    ]);
  });

  it('reuses reservations that a crash left more than ten minutes ago', async () => {
    const left = async (username: string, at: number): Promise<void> => {
      const ctx = server.app.systemContext('tests');
      await reserveUsername(ctx, username, idAt(at));
      await reserveEmail(ctx, `${username}@example.org`, idAt(at));
    };
    await left('crashed', Date.now() - 11 * 60_000);
    await left('running', Date.now() - 9 * 60_000);
    expect((await signUp(person('crashed'))).status).to.equal(200);
    expect((await signUp(person('running'))).status).to.equal(422);
  });

  it("requires an application's own token with the scope", async () => {
    const { status, body } = await signUp(person('carol'));
    expect(status).to.equal(200);
    const own = await server.app.tokens.issue({ applicationId, scopes: ['read'] });
    expect((await signUp(person('dave'), own.access_token)).status, 'scope').to.equal(403);
    const user = await server.user('erin');
    expect((await signUp(person('dave'), user.token)).status, 'user token').to.equal(403);
    expect((await signUp(person('dave'), body.access_token as string)).status).to.equal(403);
    expect((await signUp(person('dave'), 'nonsense')).status).to.equal(401);
  });

  it('waits for approval when the server requires it, and is refused when registrations are closed', async () => {
    const change = (registrations: 'open' | 'approved' | 'closed') =>
      changeSettings(server.app.systemContext('tests'), { registrations });
    await change('approved');
    await server.waitUntilIdle();
    const { status } = await signUp(person('frank', { reason: 'I like birds' }));
    expect(status).to.equal(200);
    await server.waitUntilIdle();
    const [row] = await server.app.db.query(
      `select approved, reason from users where email = 'frank@example.org'`,
    );
    expect(row).to.deep.equal({ approved: false, reason: 'I like birds' });

    await change('closed');
    await server.waitUntilIdle();
    const refused = await signUp(person('grace'));
    expect(refused).to.deep.include({ status: 403, body: { error: 'This action is not allowed' } });
    await change('open');
  });

  it('creates one account for repeated requests with the same Idempotency-Key', async () => {
    const once = (): Promise<Answer> =>
      server.call('POST', '/api/v1/accounts', {
        token,
        body: person('heidi'),
        headers: { 'Idempotency-Key': 'heidi signs up' },
      });
    expect([(await once()).status, (await once()).status]).to.deep.equal([200, 200]);
    await server.waitUntilIdle();
    const rows = await server.app.db.query(`select from users where email = 'heidi@example.org'`);
    expect(rows).to.have.lengthOf(1);
  });

  it('leads back to the first redirect URI of the app that opens something', async () => {
    const confirmed = async (username: string, redirectUris: string): Promise<string | null> => {
      const app = await server.call('POST', '/api/v1/apps', {
        body: { client_name: username, redirect_uris: redirectUris, scopes: 'read write' },
      });
      const issued = await server.app.tokens.issue({
        applicationId: (app.body as { id: string }).id,
        scopes: ['write:accounts'],
      });
      expect((await signUp(person(username), issued.access_token)).status).to.equal(200);
      const [link] = await linksMailedTo(`${username}@example.org`, server.app.config.dataDir);
      return (await server.call('GET', pathOf(link))).headers.get('location');
    };
    const oob = 'urn:ietf:wg:oauth:2.0:oob';
    expect(await confirmed('phone', 'testapp://done')).to.equal('testapp://done');
    expect(await confirmed('web', 'https://app.example/first\ntestapp://done')).to.equal(
      'https://app.example/first',
    );
    expect(await confirmed('both', `${oob}\ntestapp://done`)).to.equal('testapp://done');
    expect(await confirmed('terminal', oob)).to.equal(null);
  });

  it('refuses links after two days, and stores codes only as hashes', async () => {
    const sign = async (username: string, age: string): Promise<number> => {
      await signUp(person(username));
      const [link] = await linksMailedTo(`${username}@example.org`, server.app.config.dataDir);
      const rows = await server.app.db.query(
        `update durable.one_time_codes set created_at = now() - interval '${age}'
         where value = '${username}@example.org' returning code_hash::text`,
      );
      const code = new URL(link ?? '').searchParams.get('confirmation_token')?.split('.')[1] ?? '';
      expect(code).to.have.lengthOf(43);
      expect(JSON.stringify(rows)).not.to.contain(Buffer.from(code).toString('hex'));
      return (await server.call('GET', pathOf(link))).status;
    };
    expect(await sign('ivan', '47 hours')).to.equal(303);
    expect(await sign('judy', '49 hours')).to.equal(410);
  });

  it('refuses invalid links', async () => {
    for (const query of [
      '',
      '?confirmation_token=',
      '?confirmation_token=1.x',
      `?confirmation_token=${'x'.repeat(999)}`,
    ]) {
      expect((await server.call('GET', `/auth/confirmation${query}`)).status, query).to.equal(410);
    }
  });
});

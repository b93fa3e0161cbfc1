import { expect } from 'chai';
import { modifyUser, type UserChanges } from '#commands/accounts/index.ts';
import { createRegistrations } from '#interfaces/oauth/registrations.ts';
import { createTokens } from '#interfaces/oauth/tokens.ts';
import { channels } from '#interfaces/streaming/channels.ts';
import { scopeNames } from '#mastodon/scopes.ts';
import { describeTown, type Person } from '../support/people.ts';
import { list, post } from '../timelines/support.ts';
import { listen, Listener, openEvents, refusal } from './support.ts';

/** The scopes that open each channel: https://docs.joinmastodon.org/methods/streaming/ */
const SUFFICES = (channel: string): string[] =>
  channel === 'user:notification' ? ['read', 'read:notifications'] : ['read', 'read:statuses'];

describeTown('Access to streams', function (town) {
  this.timeout(60_000);
  let alice: Person;
  let listId: string;

  before(async () => {
    alice = await town.person('alice');
    listId = await list(alice, {}, []);
  });

  const tokenOf = async (person: Person | undefined, scopes: string[]): Promise<string> => {
    const { application_id } = (await town.app.authenticator.authenticate(alice.token))?.token ?? {};
    const issued = await town.app.tokens.issue({
      applicationId: application_id ?? '',
      ...(person ? { accountId: person.id } : {}),
      scopes,
    });
    return issued.access_token;
  };
  const url = (query = ''): string => `${town.url.replace('http', 'ws')}/api/v1/streaming${query}`;

  it('depends on the scopes of the token, for each scope and each channel', async () => {
    const allowed: Record<string, string[]> = {};
    for (const scope of scopeNames) {
      const token = await tokenOf(alice, [scope]);
      const listener = await listen(town.url, token);
      for (const stream of Object.keys(channels)) {
        listener.send({ type: 'subscribe', stream, tag: 'chess', list: listId });
        listener.send({ type: 'subscribe', stream: 'marker' });
        const answer = await listener.answers.next();
        if (answer.error === 'Unknown stream type') (allowed[stream] ??= []).push(scope);
        else {
          expect(answer).to.deep.equal({
            error: 'Access token does not have the required scopes',
            status: 401,
          });
          await listener.answers.next();
        }
      }
      listener.socket.close();
    }
    expect(allowed).to.deep.equal(
      Object.fromEntries(Object.keys(channels).map((channel) => [channel, SUFFICES(channel)])),
    );
  });

  it('depends on them in the same way for server-sent events', async () => {
    for (const [name, { path }] of Object.entries(channels)) {
      if (path === undefined) continue;
      for (const scope of ['read:statuses', 'read:notifications', 'write', 'profile', 'follow']) {
        const token = await tokenOf(alice, [scope]);
        const events = await openEvents(town.url, `${path}?tag=chess&list=${listId}`, token);
        const expected = SUFFICES(name).includes(scope) ? 200 : 401;
        expect(events.response.status, `${name} ${scope}`).to.equal(expected);
        events.close();
      }
    }
  });

  it('leaves notifications out of the stream of a user without their scope', async () => {
    const bob = await town.person('bob');
    const listener = await listen(town.url, await tokenOf(alice, ['read:statuses']), 'user');
    await post(bob, '@alice hello');
    const id = await post(alice, 'the end');
    expect((await listener.next()).payload).to.include({ id });
    listener.socket.close();
  });

  it('accepts the token in the header, the query and the protocol', async () => {
    const ways = [
      new Listener(url('?stream=user'), undefined, { Authorization: `Bearer ${alice.token}` }),
      new Listener(url(`/?stream=user&access_token=${alice.token}`)),
      new Listener(url('?stream=user'), alice.token),
    ];
    for (const way of ways) await way.opened;
    expect(ways[2]?.socket.protocol).to.equal(alice.token);
    const id = await post(alice, 'to all of them');
    for (const way of ways) {
      expect((await way.next()).payload).to.include({ id });
      way.socket.close();
    }
  });

  it('requires the token of a user who may act', async () => {
    const suspended = await town.person('suspended');
    await town.suspend(suspended);
    const moved = await town.person('disabled');
    await change(moved, { disabled: true });
    const refused = async (token?: string): Promise<unknown> => {
      const { status, body } = await refusal(
        new Listener(url('?stream=public'), undefined, token === undefined ? {} : auth(token)),
      );
      const events = await openEvents(town.url, '/public', token);
      expect(events.response.status).to.equal(status);
      events.close();
      return [status, (JSON.parse(body) as { error: string }).error];
    };
    expect(await refused()).to.deep.equal([401, 'Missing access token']);
    expect(await refused('nonsense')).to.deep.equal([401, 'Invalid access token']);
    expect(await refused('x'.repeat(600))).to.deep.equal([401, 'Missing access token']);
    expect(await refused(await tokenOf(undefined, ['read']))).to.deep.equal([401, 'Invalid access token']);
    const disabled = 'Your login is currently disabled';
    expect(await refused(suspended.token)).to.deep.equal([403, disabled]);
    expect(await refused(moved.token)).to.deep.equal([403, disabled]);
  });

  it('is served at every path below', async () => {
    for (const path of ['/', '/user', '/public/local', '/a/b?stream=user']) {
      const listener = new Listener(url(path), undefined, auth(alice.token));
      await listener.opened;
      listener.socket.close();
    }
    expect((await refusal(new Listener(url('/user')))).status).to.equal(401);
  });

  it('is not served at other paths, nor without a handshake', async () => {
    const other = new Listener(`${url('')}x`, undefined, auth(alice.token));
    expect((await refusal(other)).status).to.equal(404);
    const broken = await fetch(`${town.url}/api/v1/streaming`, { headers: auth(alice.token) });
    expect(broken.status).to.equal(400);
    const elsewhere = new Listener(`${town.url.replace('http', 'ws')}/api/v1/instance`);
    expect((await refusal(elsewhere)).status).to.be.oneOf([200, 404]);
  });

  describe('that is open', () => {
    let person: Person;
    let listener: Listener;
    let events: Awaited<ReturnType<typeof openEvents>>;
    let n = 0;

    beforeEach(async () => {
      person = await town.person(`person${(n += 1)}`);
      listener = await listen(town.url, person.token, 'user');
      events = await openEvents(town.url, '/user', person.token);
    });
    afterEach(() => {
      listener.socket.close();
      events.close();
    });

    const expectEnd = async (): Promise<void> => {
      expect(await listener.closed).to.equal(1008);
      const failure: unknown = await events.next().catch((error: unknown) => error);
      expect(String(failure)).to.contain('The stream ended: by the server');
    };

    it('ends at once when the token is revoked', async () => {
      const caller = await town.app.authenticator.authenticate(person.token);
      await town.app.tokens.revoke(person.token, caller?.token.application_id ?? '');
      await expectEnd();
    });

    it('ends at once when another process revokes the token', async () => {
      const caller = await town.app.authenticator.authenticate(person.token);
      const registrations = createRegistrations(town.app.db, () => Promise.resolve());
      const elsewhere = createTokens(town.app.db, () => undefined, registrations, town.app.tokenDigests);
      await elsewhere.revoke(person.token, caller?.token.application_id ?? '');
      await expectEnd();
    });

    it('ends at once when the account is suspended', async () => {
      await town.suspend(person);
      await expectEnd();
    });

    for (const changes of [{ disabled: true }, { role: 'Moderator' }, { password: 'another password' }]) {
      it(`ends at once when the user changes: ${JSON.stringify(changes)}`, async () => {
        await change(person, changes as UserChanges);
        await expectEnd();
      });
    }

    it('ends at once when the token cannot be checked', async () => {
      const { db, authenticator } = town.app;
      const original = db.query.bind(db);
      db.query = (statement, values) =>
        typeof statement !== 'string' && statement.name === 'authenticate'
          ? Promise.reject(new Error('The database is away'))
          : original(statement, values);
      try {
        authenticator.invalidate(person.id);
        await expectEnd();
      } finally {
        db.query = original;
      }
    });

    it('ends at once when revocations are no longer announced, and tokens cannot be checked', async () => {
      const { db } = town.app;
      const original = db.query.bind(db);
      db.query = (statement, values) =>
        typeof statement !== 'string' && statement.name === 'authenticate'
          ? Promise.reject(new Error('The database is away'))
          : original(statement, values);
      try {
        await original(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'rookery listener' and datname = current_database()`,
        );
        await expectEnd();
      } finally {
        db.query = original;
      }
    });

    it('does not end because of changes to others', async () => {
      const other = await town.person(`other${n}`);
      await change(other, { disabled: true });
      await town.suspend(other);
      town.app.authenticator.changed('everything');
      const id = await post(person, 'still here');
      expect((await listener.next()).payload).to.include({ id });
      expect(JSON.parse((await events.next()).data)).to.include({ id });
    });
  });

  it('is limited to 25 connections of one token', async () => {
    const token = await tokenOf(alice, ['read']);
    const open: Listener[] = [];
    for (let n = 0; n < 25; n += 1) open.push(await listen(town.url, token));
    const { status, body } = await refusal(new Listener(url(), token));
    expect([status, body]).to.deep.equal([429, '{"error":"Too many open streams"}']);
    expect((await openEvents(town.url, '/public', token)).response.status).to.equal(429);
    const [first] = open;
    first?.socket.close();
    await first?.closed;
    open.push(await listen(town.url, token));
    for (const { socket } of open) socket.close();
  });

  const change = (person: Person, changes: UserChanges): Promise<void> =>
    modifyUser(town.app.systemContext('spec'), person.id, changes);
  const auth = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
});

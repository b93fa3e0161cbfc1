import { expect } from 'chai';
import { type DomainAllowEvent, domainAllowStream } from '#events/domain-allows.ts';
import { alertOf, signedIn } from '../account-pages/support.ts';
import { freePort } from '../support/free-port.ts';
import { carriedOut } from '../support/inbox.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { delivered } from './remote-server.ts';

type Json = Record<string, unknown>;

/** One of two Rookery servers, with a user. */
interface Side {
  server: TestServer;
  domain: string;
  user: TestUser;
}

/** Each server is the other's peer, with real requests and signatures. */
for (const isLimited of [false, true]) {
  describe(`Two Rookery servers${isLimited ? ' in limited federation mode' : ''}`, function () {
    this.timeout(60_000);
    const sides: Side[] = [];

    before(async function () {
      this.timeout(120_000);
      for (const name of ['alice', 'bob']) {
        const port = String(await freePort());
        const domain = `localhost:${port}`;
        const server = await startTestServer({
          LOCAL_DOMAIN: domain,
          PORT: port,
          LOCAL_HTTPS: 'false',
          ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8,::1/128',
          LIMITED_FEDERATION_MODE: String(isLimited),
        });
        sides.push({ server, domain, user: await server.user(name) });
      }
    });
    after(() => Promise.all(sides.map(({ server }) => server.close())));

    // Specs read members of many different bodies.
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    const as = async ({ server, user }: Side, method: string, path: string, body?: object): Promise<any> => {
      const answer = await server.call(method, path, { token: user.token, ...(body ? { body } : {}) });
      expect(answer.status, `${method} ${path}`).equal(200);
      return answer.body as unknown;
    };
    const both = (): [Side, Side] => sides as [Side, Side];
    /** Waits until all activities have been delivered and processed. */
    const quiet = async (): Promise<void> => {
      for (let round = 0; round < 3; round += 1) {
        for (const { server } of sides) {
          await delivered(server);
          await carriedOut(server);
        }
      }
    };
    const found = async (by: Side, q: string): Promise<Json[]> =>
      (await as(by, 'GET', `/api/v2/search?resolve=true&q=${encodeURIComponent(q)}`)).accounts;
    const allow = async ({ server }: Side, domain: string): Promise<void> => {
      const ctx = server.app.systemContext('spec');
      const data = { id: ctx.newId(), domain };
      await ctx.execute(
        domainAllowStream(domain),
        { initialState: null, evolve: () => null },
        (): DomainAllowEvent[] => [{ type: 'DomainAllowed', data }],
      );
      await server.waitUntilIdle();
    };

    if (isLimited) {
      it('find no account of each other until both allow the other one', async () => {
        const [here, there] = both();
        // A second account, because a failed look-up is not repeated soon.
        await there.server.user('shy');
        expect(await found(here, `http://${there.domain}/users/shy`)).length(0);
        await allow(here, there.domain);
        await allow(there, here.domain);
      });
    }

    it('exchange follows, posts, replies, favourites and reblogs', async () => {
      const [here, there] = both();
      const ids = await Promise.all(
        [
          [here, `http://${there.domain}/users/bob`],
          [there, `http://${here.domain}/users/alice`],
        ].map(async ([by, q]) => {
          const [account] = await found(by as Side, q as string);
          expect(account, q as string).not.equal(undefined);
          const { id } = account as { id: string };
          await as(by as Side, 'POST', `/api/v1/accounts/${id}/follow`);
          return id;
        }),
      );
      await quiet();
      for (const [side, id] of [
        [here, ids[0]],
        [there, ids[1]],
      ] as const) {
        const [relationship] = await as(side, 'GET', `/api/v1/accounts/relationships?id[]=${id}`);
        expect(relationship).deep.include({ following: true, followed_by: true, requested: false });
      }
      const posted = await as(here, 'POST', '/api/v1/statuses', { status: 'Rooks', visibility: 'private' });
      await quiet();
      const [seen] = await as(there, 'GET', '/api/v1/timelines/home');
      expect(seen.uri).equal(posted.uri);
      await as(there, 'POST', `/api/v1/statuses/${seen.id}/favourite`);
      await as(there, 'POST', '/api/v1/statuses', {
        status: `@alice@${here.domain} crows`,
        in_reply_to_id: seen.id,
        visibility: 'private',
      });
      const open = await as(here, 'POST', '/api/v1/statuses', { status: 'Jackdaws' });
      await quiet();
      const home = (await as(there, 'GET', '/api/v1/timelines/home')) as Json[];
      const second = home.find(({ uri }) => uri === open.uri);
      await as(there, 'POST', `/api/v1/statuses/${String(second?.['id'])}/reblog`);
      await quiet();
      expect(await as(here, 'GET', `/api/v1/statuses/${posted.id}`)).deep.include({ favourites_count: 1 });
      const { descendants } = await as(here, 'GET', `/api/v1/statuses/${posted.id}/context`);
      expect(descendants).length(1);
      expect(await as(here, 'GET', `/api/v1/statuses/${open.id}`)).deep.include({ reblogs_count: 1 });
    });

    it('let an account move from one to the other with its followers on both', async () => {
      const [here, there] = both();
      const settings = async (side: Side, name: string, page: string, step: string, fields: object) => {
        const browser = await signedIn(side.server, name);
        await browser.open(page);
        const answer = await browser.submit(page, { ...fields }, `value="${step}"`);
        await quiet();
        return answer;
      };
      const idOn = async (side: Side, other: Side, name: string): Promise<string> => {
        const [account] = await found(side, `http://${other.domain}/users/${name}`);
        return String(account?.['id']);
      };
      const follows = async (side: Side, id: string): Promise<unknown> => {
        const [one] = await as(side, 'GET', `/api/v1/accounts/relationships?id[]=${id}`);
        return one.following;
      };
      // One follower of `mover` is on the same server, the other one is here.
      const mover: Side = { ...there, user: await there.server.user('mover') };
      const home: Side = { ...here, user: await here.server.user('home') };
      const ids = { there: await idOn(there, here, 'home'), here: await idOn(here, there, 'mover') };
      await as(there, 'POST', `/api/v1/accounts/${mover.user.id}/follow`);
      await as(here, 'POST', `/api/v1/accounts/${ids.here}/follow`);
      await quiet();
      expect([await follows(there, mover.user.id), await follows(here, ids.here)]).deep.equal([true, true]);

      const move = () =>
        settings(there, 'mover', '/settings/migration', 'move', {
          handle: `http://${here.domain}/users/home`,
          current_password: 'correct horse mover',
        });
      const refused = await move();
      expect(alertOf(refused)).contain('does not name this one as an alias');
      const handle = `http://${there.domain}/users/mover`;
      const named = await settings(here, 'home', '/settings/aliases', 'add', { handle });
      expect(named.status, alertOf(named)).equal(303);
      const moved = await move();
      expect(moved.status, alertOf(moved)).equal(303);

      for (const [side, old, fresh] of [
        [there, mover.user.id, ids.there],
        [here, ids.here, home.user.id],
      ] as const) {
        expect([await follows(side, old), await follows(side, fresh)], side.domain).deep.equal([false, true]);
        expect((await as(side, 'GET', `/api/v1/accounts/${old}`)).moved).deep.include({ id: fresh });
      }
      expect((await as(home, 'GET', `/api/v1/accounts/${home.user.id}`)).followers_count).equal(2);

      // Cancelling keeps the followers at the new account. The server announces nothing to former followers.
      expect((await settings(there, 'mover', '/settings/migration', 'cancel', {})).status).equal(303);
      expect(await as(there, 'GET', `/api/v1/accounts/${mover.user.id}`)).not.have.property('moved');
      expect(await follows(there, mover.user.id)).equal(false);
      expect((await as(home, 'GET', `/api/v1/accounts/${home.user.id}`)).followers_count).equal(2);
    });

    it('show where an account redirects to that keeps its followers', async () => {
      const [here, there] = both();
      const name = 'wanderer';
      const user = await there.server.user(name);
      const [known] = await found(here, `http://${there.domain}/users/${name}`);
      const id = String(known?.['id']);
      await as(here, 'POST', `/api/v1/accounts/${id}/follow`);
      await quiet();
      const browser = await signedIn(there.server, name);
      await browser.open('/settings/migration');
      const fields = {
        handle: `http://${here.domain}/users/home`,
        current_password: `correct horse ${name}`,
      };
      const answer = await browser.submit('/settings/migration', fields, 'value="redirect"');
      expect(answer.status, alertOf(answer)).equal(303);
      await quiet();
      const shown = await as(here, 'GET', `/api/v1/accounts/${id}`);
      expect(shown.moved).deep.include({ acct: 'home' });
      const [one] = await as(here, 'GET', `/api/v1/accounts/relationships?id[]=${id}`);
      expect(one.following).equal(true);
      expect((await as(there, 'GET', `/api/v1/accounts/${user.id}`)).followers_count).equal(1);

      await browser.open('/settings/migration');
      expect((await browser.submit('/settings/migration', {}, 'value="cancel"')).status).equal(303);
      await quiet();
      expect(await as(here, 'GET', `/api/v1/accounts/${id}`)).not.have.property('moved');
    });
  });
}

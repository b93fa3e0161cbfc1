import { expect } from 'chai';
import { addAlias, MAX_ALIASES } from '#commands/accounts/index.ts';
import { accountStream } from '#events/accounts.ts';
import { Browser, locationOf } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { activity, deliver, FEDERATING, HERE, type Json } from '../support/inbox.ts';
import { type Peer, startPeer } from '../support/peer.ts';
import { suspendAccount } from '../support/remote.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { alertOf, doneOf, follow, signedIn } from './support.ts';

const [ALIASES, MIGRATION] = ['/settings/aliases', '/settings/migration'];

describe('Moving an account', function () {
  this.timeout(60_000);
  let server: TestServer;
  let peer: Peer;

  before(async function () {
    this.timeout(120_000);
    [server, peer] = await Promise.all([startTestServer(FEDERATING), startPeer()]);
  });
  after(() => Promise.all([server.close(), peer.close()]));

  const person = async (name: string): Promise<TestUser & { name: string; browser: Browser }> => {
    const user = await server.user(name);
    return { ...user, name, browser: await signedIn(server, name) };
  };
  const uriOf = (name: string): string => `${HERE}/users/${name}`;
  const document = async (name: string): Promise<Json> => {
    await server.waitUntilIdle();
    const headers = { Accept: 'application/activity+json' };
    const { body } = await server.call('GET', `/users/${name}`, { headers });
    return (typeof body === 'string' ? JSON.parse(body) : body) as Json;
  };
  const shown = async (id: string): Promise<Json> => {
    await server.waitUntilIdle();
    return (await server.call('GET', `/api/v1/accounts/${id}`)).body as Json;
  };
  /** Submits the form of this step. */
  const send = async (browser: Browser, path: string, step: string, fields: Json = {}): Promise<Answer> => {
    await browser.open(path);
    return browser.submit(path, fields as Record<string, string>, `value="${step}"`);
  };
  const linesOf = ({ body }: Answer): string[] =>
    load(body as string)
      .all('button')
      .flatMap(({ attributes }) => attributes['aria-label'] ?? []);

  describe('to this server', () => {
    it('is prepared by aliases, which the actor document lists', async () => {
      const { browser } = await person('alice');
      await server.user('bob');
      const old = peer.actor('old');
      expect((await browser.open('/settings')).body)
        .contain(ALIASES)
        .contain(MIGRATION);
      const add = (handle: string) => send(browser, ALIASES, 'add', { handle });
      const done = await follow(browser, await add(`@old@${peer.host}`));
      expect(doneOf(done)).contain('The alias is there.');
      expect(linesOf(done)).deep.equal([`Remove @old@${peer.host}`]);
      expect((await document('alice'))['alsoKnownAs']).deep.equal([old]);
      // A URI works as well, and so does a local account. A repeated alias is kept once.
      for (const handle of [old, uriOf('bob'), '@bob']) expect((await add(handle)).status).equal(303);
      expect((await document('alice'))['alsoKnownAs']).deep.equal([old, uriOf('bob')]);

      for (const [handle, why] of [
        ['', /No such account was found/],
        ['@nobody', /No such account/],
        [`@nobody@${peer.host}`, /No such account/],
        ['a\u0007b', /No such account/],
        ['x'.repeat(3_000), /No such account/],
        ['@alice', /the account itself/],
        [uriOf('alice'), /the account itself/],
      ] as const) {
        const refused = await add(handle);
        expect([refused.status, alertOf(refused)], handle)
          .match(why)
          .include(422);
      }
      const removed = await send(browser, ALIASES, 'remove', { uri: old });
      expect(doneOf(await follow(browser, removed))).equal('The alias is gone.');
      expect((await document('alice'))['alsoKnownAs']).deep.equal([uriOf('bob')]);
      const again = await send(browser, ALIASES, 'remove', { uri: old });
      expect([again.status, alertOf(again)]).deep.equal([422, 'This is no alias of the account.']);
    });

    it('allows ten aliases and no suspended account', async () => {
      const { id, browser } = await person('many');
      for (let n = 0; n < MAX_ALIASES; n += 1) {
        await addAlias(server.app.systemContext('spec'), { accountId: id, text: peer.actor(`many${n}`) });
      }
      await server.waitUntilIdle();
      const one = peer.actor('one-more');
      const refused = await send(browser, ALIASES, 'add', { handle: one });
      expect([refused.status, alertOf(refused)]).deep.equal([422, 'An account has 10 aliases at most.']);
      expect((await document('many'))['alsoKnownAs']).length(MAX_ALIASES);
      const bad = peer.actor('bad');
      const found = await server.app.contextDependencies.services.resolver.resolve(bad);
      await suspendAccount(server.app, found?.account ?? '');
      expect(alertOf(await send(browser, ALIASES, 'add', { handle: bad }))).contain('No such account');
      // An alias whose account is suspended later can still be removed, by handle or URI.
      const first = `many0@${peer.host}`;
      const { account = '' } = (await server.app.contextDependencies.services.resolver.resolve(first)) ?? {};
      await suspendAccount(server.app, account);
      const removed = await send(browser, ALIASES, 'remove', { uri: first });
      expect(doneOf(await follow(browser, removed))).equal('The alias is gone.');
    });

    it('moves followers of the old account when the new one has it as an alias', async () => {
      const [{ id }, fan] = [await person('fresh'), await person('fan')];
      const old = peer.actor('elder');
      const found = await server.app.contextDependencies.services.resolver.resolve(old);
      const elder = found?.account ?? '';
      await server.call('POST', `/api/v1/accounts/${elder}/follow`, { token: fan.token });
      const by = { peer, name: 'elder' };
      const said = (type: string, object: unknown, more: Json = {}) =>
        deliver(server, by, activity(peer, 'elder', type, object, more));
      await said('Accept', { type: 'Follow', actor: uriOf('fan'), object: old });
      const between = async (other: string): Promise<unknown> => {
        const path = `/api/v1/accounts/relationships?id[]=${other}`;
        const [one] = (await server.call('GET', path, { token: fan.token })).body as Json[];
        return one?.['following'];
      };
      await said('Move', old, { target: uriOf('fresh') });
      expect([await between(elder), await between(id)]).deep.equal([true, false]);
      await addAlias(server.app.systemContext('spec'), { accountId: id, text: old });
      await server.waitUntilIdle();
      await said('Move', old, { target: uriOf('fresh') });
      expect([await between(elder), await between(id)]).deep.equal([false, true]);
      expect((await shown(elder))['moved']).deep.include({ id });
    });
  });

  describe('to another server', () => {
    it('requires the password and a target that has this account as an alias', async () => {
      const { id, browser } = await person('leaver');
      const password = 'correct horse leaver';
      const move = (handle: string, current_password = password) =>
        send(browser, MIGRATION, 'move', { handle, current_password });
      const alsoKnownAs = [uriOf('leaver')];
      const there = peer.actor('there');
      const onward = peer.actor('onward', { alsoKnownAs, movedTo: there });
      const banned = peer.actor('banned', { alsoKnownAs });
      const { resolver } = server.app.contextDependencies.services;
      await suspendAccount(server.app, (await resolver.resolve(banned))?.account ?? '');
      const before = await server.app.log.head();
      for (const [handle, why, with_password] of [
        [there, /The current password is wrong/, 'wrong'],
        ['', /No such account/],
        ['a\u0007b', /No such account/],
        [`@nobody@${peer.host}`, /No such account/],
        [uriOf('leaver'), /cannot move to itself/],
        ['@fresh', /does not name this one as an alias/],
        [onward, /has moved to another one itself/],
        [banned, /is suspended on this server/],
        [`@banned@${peer.host}`, /is suspended on this server/],
      ] as const) {
        const refused = await move(handle, with_password);
        expect([refused.status, alertOf(refused)], handle)
          .match(why)
          .include(422);
      }
      expect(await shown(id)).not.have.property('moved');
      // The stored document of the target does not count: the page fetches it again.
      expect(alertOf(await move(there))).match(/does not name this one as an alias/);
      peer.actor('there', { alsoKnownAs });
      const done = await follow(browser, await move(there));
      expect(doneOf(done)).contain('Your account has moved.');
      expect(done.body).contain(`@there@${peer.host}`);
      expect((await shown(id))['moved']).deep.include({ uri: there });
      expect((await document('leaver'))['movedTo']).equal(there);
      const events = await server.app.log.readAll(before, 1_000);
      const moved = events.find(
        ({ type, stream }) => type === 'AccountMoved' && stream === accountStream(id),
      );
      expect(moved?.metadata.actor).deep.equal({ account_id: id });
    });

    it('lets the moved account read, export and return, but not act or move again within 30 days', async () => {
      const { id, token, browser, name } = await person('quitter');
      const bob = await server.user('bystander');
      const password = { current_password: 'correct horse quitter' };
      peer.actor('next', { alsoKnownAs: [uriOf(name)] });
      const handle = `@next@${peer.host}`;
      expect((await send(browser, MIGRATION, 'move', { handle, ...password })).status).equal(303);

      const post = () => server.call('POST', '/api/v1/statuses', { token, body: { status: 'more' } });
      expect((await post()).status).equal(403);
      expect((await server.call('GET', `/api/v1/accounts/${bob.id}`, { token })).status).equal(200);
      expect((await browser.open('/settings/export/following_accounts.csv')).status).equal(200);
      expect(locationOf(await browser.open('/'))).equal('/settings');
      const again = new Browser(server);
      await again.open('/auth/sign_in');
      const login = { login: name, password: password.current_password };
      expect(locationOf(await again.submit('/auth/sign_in', login))).equal('/settings');
      await browser.open('/settings');
      const followed = await browser.press(`/web/v1/accounts/${bob.id}/follow`);
      expect([followed.status, alertOf(followed)])
        .match(/leads to another one/)
        .include(403);
      await browser.open('/settings/import');
      const imported = await browser.submit('/settings/import', { type: 'following', mode: 'merge' });
      expect([imported.status, alertOf(imported)])
        .match(/leads to another one/)
        .include(403);

      const page = await browser.open(MIGRATION);
      expect(page.body).contain('has moved to');
      expect(load(page.body as string).all('input', { type: 'password' })).deep.equal([]);
      const back = await follow(browser, await browser.submit(MIGRATION, {}, 'value="cancel"'));
      expect(doneOf(back)).equal('Your account is in use again.');
      expect(back.body).contain('less than 30 days ago');
      expect(await shown(id)).not.have.property('moved');
      expect(await document(name)).not.have.property('movedTo');
      expect((await post()).status).equal(200);
      const csrf_token = load(back.body as string).one('input', { name: 'csrf_token' })?.attributes['value'];
      const soon = await browser.post(MIGRATION, { csrf_token, step: 'move', handle, ...password });
      expect([soon.status, alertOf(soon)])
        .match(/less than 30 days ago/)
        .include(422);
    });

    it('can be a mere redirect, which keeps the followers and needs no alias', async () => {
      const { id, token, browser, name } = await person('wanderer');
      const fan = await server.user('steady');
      await server.call('POST', `/api/v1/accounts/${id}/follow`, { token: fan.token });
      const home = await server.user('home');
      const handle = '@home@rookery.example';
      const password = { current_password: 'correct horse wanderer' };
      const done = await follow(browser, await send(browser, MIGRATION, 'redirect', { handle, ...password }));
      expect(doneOf(done)).equal('Your account leads to the new one.');
      await server.waitUntilIdle();
      expect((await shown(id))['moved']).deep.include({ id: home.id });
      expect(await shown(id)).deep.include({ followers_count: 1 });
      expect((await document(name))['movedTo']).equal(uriOf('home'));
      expect((await server.call('POST', '/api/v1/statuses', { token, body: { status: 'x' } })).status).equal(
        403,
      );
      // The target of a redirect did not agree to it, so its document must not claim the same owner.
      expect(await document('home')).not.have.property('alsoKnownAs');

      // With the alias, the followers can move as well.
      const refused = await send(browser, MIGRATION, 'move', { handle, ...password });
      expect(alertOf(refused)).match(/does not name this one as an alias/);
      await addAlias(server.app.systemContext('spec'), { accountId: home.id, text: uriOf(name) });
      await server.waitUntilIdle();
      expect((await send(browser, MIGRATION, 'move', { handle, ...password })).status).equal(303);
      await server.waitUntilIdle();
      expect(await shown(home.id)).deep.include({ followers_count: 1 });
      expect((await document('home'))['alsoKnownAs']).deep.equal([uriOf(name)]);
    });
  });
});

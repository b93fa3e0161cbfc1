import { hash } from 'node:crypto';
import { expect } from 'chai';
import { type ClaimEvent, remoteUriStream } from '#events/federation.ts';
import type { AuditEntry } from '#mastodon/schemas/index.ts';
import { exported } from '../imports/scene.ts';
import { actorWithInbox, carriedOut, deliver, HERE, type Json, PUBLIC, send } from '../support/inbox.ts';
import { ACTIVITY_JSON, type Peer, PUBLIC_KEY } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

const HERE_HOST = new URL(HERE).host;

describe('A server that was set up anew on its domain', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { accountOf, as, by, sent } = scene;
  let server: TestServer;
  let peer: Peer;
  let alice: TestUser;
  let bob: TestUser;
  let owner: TestUser;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, alice, bob } = await scene.start());
    owner = await server.user('owner', { role: 'Owner', scopes: ['admin:read', 'admin:write'] });
  });
  after(() => scene.close());

  /** Makes WebFinger of a name lead to an actor at another path, which collects what arrives. Returns its URI. */
  function move(name: string, path: string, arrivals: Json[] = []): string {
    const uri = `${peer.origin}${path}`;
    peer.put(path, {
      id: uri,
      type: 'Person',
      preferredUsername: name,
      inbox: `${uri}/inbox`,
      name: `New ${name}`,
      url: `${peer.origin}/@${name}`,
      followers: `${uri}/followers`,
      featured: `${uri}/featured`,
      publicKey: { id: `${uri}#main-key`, owner: uri, publicKeyPem: PUBLIC_KEY },
    });
    peer.put(`${path}/inbox`, (req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        arrivals.push(JSON.parse(Buffer.concat(chunks).toString()) as Json);
        res.status(202).end();
      });
    });
    finger(name, uri);
    return uri;
  }
  const finger = (name: string, uri: string): void =>
    peer.finger(name, {
      subject: `acct:${name}@${peer.host}`,
      links: [{ rel: 'self', type: ACTIVITY_JSON, href: uri }],
    });
  const close = (name: string, status = 404): string =>
    peer.put(`/users/${name}`, (_req, res) => void res.status(status).end());
  const noteBy = (uri: string, content: string): Json => ({
    id: `${uri}/notes/${content.length}`,
    type: 'Note',
    attributedTo: uri,
    content,
    published: new Date().toISOString(),
    to: [PUBLIC],
    cc: [`${uri}/followers`],
  });
  const createBy = (uri: string, content: string): Json => ({
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: `${uri}/creates/${content.length}`,
    type: 'Create',
    actor: uri,
    to: [PUBLIC],
    object: noteBy(uri, content),
  });
  const shown = (id: string): Promise<Json> => as(alice, 'GET', `/api/v1/accounts/${id}`) as Promise<Json>;
  const entries = (id: string): Promise<AuditEntry[]> =>
    as(owner, 'GET', `/api/v1/admin/audit?target=${id}`) as Promise<AuditEntry[]>;

  it('keeps its account and its followers, and is followed again', async () => {
    const old = actorWithInbox(peer, 'carol', []);
    const id = await scene.follow(alice, 'carol');
    await as(bob, 'POST', `/api/v1/accounts/${id}/follow`);
    await scene.news();
    close('carol');
    const arrivals: Json[] = [];
    const uri = move('carol', '/ap/carol', arrivals);
    const signed = { keyId: `${uri}#main-key` };
    await deliver(server, by('carol'), createBy(uri, 'Hello again'), signed);

    expect(await shown(id)).deep.include({
      id,
      uri,
      acct: `carol@${peer.host}`,
      display_name: 'New carol',
      url: `${peer.origin}/@carol`,
    });
    const home = (await as(alice, 'GET', '/api/v1/timelines/home')) as { content: string }[];
    expect(home.map(({ content }) => content)).contain('Hello again');
    await scene.news();
    const follows = arrivals.filter(({ type }) => type === 'Follow');
    expect(follows.map(({ actor, object }) => [actor, object]).sort()).deep.equal(
      [ALICE, ALICE.replace('alice', 'bob')].map((actor) => [actor, uri]),
    );
    const [relation] = (await as(alice, 'GET', `/api/v1/accounts/relationships?id[]=${id}`)) as Json[];
    expect(relation).deep.include({ following: true, requested: false });

    const [entry] = (await entries(id)).filter(({ action }) => action === 'account.uri_replaced');
    expect(entry?.changes).deep.equal([{ field: 'uri', before: old, after: uri, shown: 'whole' }]);
  });

  it('lets nothing happen in the name of the former address', async () => {
    const old = actorWithInbox(peer, 'dora', []);
    await deliver(server, by('dora'), sent('dora', 'Follow', ALICE));
    const id = await accountOf(old);
    const uri = move('dora', '/ap/dora');
    await deliver(server, by('dora'), createBy(uri, 'I am new, @alice'), { keyId: `${uri}#main-key` });
    expect((await shown(id))['uri']).equal(uri);
    const before = await server.app.log.head();
    expect((await send(server, by('dora'), sent('dora', 'Delete', old))).status).equal(202);
    await carriedOut(server);
    expect(await server.app.log.head(), 'a deletion by the former address').equal(before);
    expect((await shown(id))['uri']).equal(uri);
  });

  it('is not believed while WebFinger names the former address', async () => {
    const old = actorWithInbox(peer, 'eve', []);
    const id = await scene.follow(alice, 'eve');
    const uri = move('eve', '/ap/eve');
    finger('eve', old);
    await deliver(server, by('eve'), createBy(uri, 'Forged'), { keyId: `${uri}#main-key` });
    expect((await shown(id))['uri']).equal(old);
    expect(await scene.resolve(uri)).equal(undefined);
  });

  it('changes an address three times in a month at most', async () => {
    actorWithInbox(peer, 'flip', []);
    const id = await scene.follow(alice, 'flip');
    const taken: unknown[] = [];
    for (const turn of [1, 2, 3, 4, 5]) {
      await scene.resolve(move('flip', `/flip/${turn}`));
      taken.push((await shown(id))['uri']);
    }
    expect(taken).deep.equal([1, 2, 3, 3, 3].map((turn) => `${peer.origin}/flip/${turn}`));
  });

  it('takes a URI back that an earlier version of this server had reserved for no account', async () => {
    actorWithInbox(peer, 'gap', []);
    const id = await scene.follow(alice, 'gap');
    const uri = move('gap', '/ap/gap');
    const ctx = server.app.systemContext('spec');
    const digest = hash('sha256', uri);
    await ctx.execute(
      remoteUriStream(digest),
      { initialState: null, evolve: () => null },
      (): ClaimEvent[] => [{ type: 'RemoteUriClaimed', data: { digest, kind: 'account', id: ctx.newId() } }],
    );
    expect((await scene.resolve(uri))?.account).equal(id);
    expect((await shown(id))['uri']).equal(uri);
  });

  describe('Names', () => {
    it('change with an Update that WebFinger confirms', async () => {
      const uri = actorWithInbox(peer, 'frida', []);
      const id = await scene.follow(alice, 'frida');
      actorWithInbox(peer, 'frida', [], { preferredUsername: 'frieda', url: `${peer.origin}/@frieda` });
      finger('frieda', uri);
      const renamed = { id: uri, type: 'Person', preferredUsername: 'frieda', inbox: `${uri}/inbox` };
      await deliver(server, by('frida'), sent('frida', 'Update', renamed));
      expect(await shown(id)).deep.include({
        username: 'frieda',
        acct: `frieda@${peer.host}`,
        uri,
        url: `${peer.origin}/@frieda`,
      });
      const search = async (q: string): Promise<string[]> =>
        ((await as(alice, 'GET', `/api/v1/accounts/search?q=${q}`)) as { id: string }[]).map((one) => one.id);
      expect(await search(`frieda@${peer.host}`)).deep.equal([id]);
      expect(await search('fried')).deep.equal([id]);
      expect(await search('frida')).deep.equal([]);
      const acts = (await entries(id)).map(({ action }) => action);
      expect(acts).contain('account.renamed');

      // The former name is free for another account.
      const other = peer.put('/ap/frida', {
        id: `${peer.origin}/ap/frida`,
        type: 'Person',
        preferredUsername: 'frida',
        inbox: `${peer.origin}/ap/frida/inbox`,
      });
      finger('frida', other);
      const found = await scene.resolve(`frida@${peer.host}`);
      expect(found?.account).not.equal(id);
      expect((await shown(found?.account ?? ''))['acct']).equal(`frida@${peer.host}`);
    });

    it('stay without a confirmation, and with one that leads to another actor', async () => {
      const uri = actorWithInbox(peer, 'greta', []);
      const id = await scene.follow(alice, 'greta');
      actorWithInbox(peer, 'greta', [], { preferredUsername: 'gretel' });
      const renamed = { id: uri, type: 'Person', preferredUsername: 'gretel', inbox: `${uri}/inbox` };
      await deliver(server, by('greta'), sent('greta', 'Update', renamed));
      expect((await shown(id))['acct']).equal(`greta@${peer.host}`);
      finger('gretel', `${peer.origin}/users/another`);
      await deliver(server, by('greta'), sent('greta', 'Update', renamed));
      expect((await shown(id))['acct']).equal(`greta@${peer.host}`);
    });
  });

  describe('A handle that WebFinger gives to another known account', () => {
    /** Makes an actor known, which a local user follows. */
    const known = (name: string): Promise<string> => {
      actorWithInbox(peer, name, []);
      return scene.follow(alice, name);
    };
    /** Makes two actors known, and lets the name of the first one lead to the second one, which says so. */
    async function takeOver(loser: string, taker: string): Promise<Record<'loser' | 'taker', string>> {
      const ids = { loser: await known(loser), taker: await known(taker) };
      const uri = actorWithInbox(peer, taker, [], { preferredUsername: loser });
      finger(loser, uri);
      await deliver(server, by(taker), sent(taker, 'Update', { ...actorOf(uri, loser), name: 'Taker' }));
      await carriedOut(server);
      return ids;
    }
    const actorOf = (uri: string, preferredUsername: string): Json => ({
      id: uri,
      type: 'Person',
      preferredUsername,
      inbox: `${uri}/inbox`,
    });

    it('leaves the former account with its id as its name, wherever it is shown', async () => {
      const post = scene.note('lena', {
        tag: [{ type: 'Mention', href: ALICE, name: `@alice@${HERE_HOST}` }],
      });
      await known('lena');
      await deliver(server, by('lena'), sent('lena', 'Create', post));
      const { loser, taker } = await takeOver('lena', 'mona');
      const invalid = { username: loser, acct: `${loser}@handle.invalid`, invalid_handle: true };
      expect(await shown(loser)).deep.include({ ...invalid, uri: `${peer.origin}/users/lena` });
      const kept = await shown(taker);
      expect(kept).deep.include({ username: 'lena', acct: `lena@${peer.host}` });
      expect(kept).not.to.have.property('invalid_handle');

      const lookup = async (acct: string): Promise<Json> =>
        (await as(alice, 'GET', `/api/v1/accounts/lookup?acct=${acct}`)) as Json;
      expect((await lookup(`lena@${peer.host}`))['id']).equal(taker);
      expect((await lookup(`${loser}@handle.invalid`))['id']).equal(loser);
      const search = `/api/v2/search?type=accounts&q=${loser}@handle.invalid`;
      const found = (await as(alice, 'GET', search)) as { accounts: Json[] };
      expect(found.accounts.map(({ id }) => id)).deep.equal([loser]);
      const notices = (await as(alice, 'GET', '/api/v1/notifications?types[]=mention')) as {
        account: Json;
      }[];
      expect(notices.map(({ account }) => account)).to.deep.include.members([await shown(loser)]);
      const one = (await as(owner, 'GET', `/api/v1/admin/accounts/${loser}`)) as Json;
      expect(one).deep.include({ username: loser, domain: peer.host });
      expect(one['account']).deep.include(invalid);
    });

    it('is used in posts that mention the former account, and in exports', async () => {
      const { loser } = await takeOver('nora', 'olga');
      const handle = `${loser}@handle.invalid`;
      const { mentions } = (await as(alice, 'POST', '/api/v1/statuses', { status: `Hi @${handle}` })) as {
        mentions: Json[];
      };
      expect(mentions).deep.equal([
        { id: loser, username: loser, acct: handle, url: (await shown(loser))['url'] },
      ]);
      const lines = await exported(server.app, alice.id, 'following');
      expect(lines).to.match(new RegExp(`^${handle},`, 'm'));
      const entry = (await entries(loser)).find(({ action }) => action === 'account.handle_lost');
      expect(entry?.changes[0]).deep.include({ field: 'acct', before: `nora@${peer.host}`, after: null });
    });

    it('gives the former account its new name as soon as its server has one', async () => {
      const id = await known('pia');
      const uri = actorWithInbox(peer, 'pia', [], { preferredUsername: 'pia2' });
      finger('pia2', uri);
      const taker = await known('rosa');
      const rosa = actorWithInbox(peer, 'rosa', [], { preferredUsername: 'pia' });
      finger('pia', rosa);
      await deliver(server, by('rosa'), sent('rosa', 'Update', actorOf(rosa, 'pia')));
      await carriedOut(server);
      expect(await shown(taker)).deep.include({ acct: `pia@${peer.host}` });
      const after = await shown(id);
      expect(after).deep.include({ username: 'pia2', acct: `pia2@${peer.host}` });
      expect(after).not.to.have.property('invalid_handle');
    });

    it('comes back to the former account once WebFinger names it again', async () => {
      const { loser, taker } = await takeOver('tessa', 'ursel');
      expect((await shown(loser))['invalid_handle']).equal(true);
      finger('tessa', `${peer.origin}/users/tessa`);
      const uri = `${peer.origin}/users/tessa`;
      await deliver(server, by('tessa'), sent('tessa', 'Update', actorOf(uri, 'tessa')));
      await carriedOut(server);
      expect((await shown(loser))['acct']).equal(`tessa@${peer.host}`);
      expect((await shown(taker))['acct']).equal(`${taker}@handle.invalid`);
    });

    it('stays with its account while the other one is suspended here', async () => {
      const loser = await known('vera');
      const taker = await known('wilma');
      await as(owner, 'POST', `/api/v1/admin/accounts/${taker}/action`, { type: 'suspend' });
      await carriedOut(server);
      const uri = actorWithInbox(peer, 'wilma', [], { preferredUsername: 'vera' });
      finger('vera', uri);
      await server.app.contextDependencies.services.resolver.identify(uri);
      expect((await shown(loser))['acct']).equal(`vera@${peer.host}`);
    });
  });

  describe('Actors that answer 410', () => {
    const isGone = async (id: string): Promise<boolean> => {
      await server.waitUntilIdle();
      const rows = await server.app.db.query('select from accounts where id = $1 and gone', [id]);
      return rows.length > 0;
    };

    it('are gone once they are fetched, by their address, their handle or their profile', async () => {
      const ids = [];
      for (const name of ['hugo', 'ida', 'jan']) {
        const uri = actorWithInbox(peer, name, []);
        ids.push(await accountOf(uri));
      }
      await carriedOut(server);
      ['hugo', 'ida', 'jan'].forEach((name) => close(name, 410));
      const { services } = server.app.contextDependencies;
      await services.resolver.identify(`${peer.origin}/users/hugo`);
      peer.finger('ida', undefined as never);
      await services.resolver.identify(`ida@${peer.host}`);
      await services.jobs.enqueue('refresh-profile', { account_id: ids[2] ?? '', tries: 0 }, { owner: 'x' });
      await carriedOut(server);
      expect(await Promise.all(ids.map(isGone))).deep.equal([true, true, true]);
    });

    it('leave their name to a new actor, which is a new account', async () => {
      const old = actorWithInbox(peer, 'kim', []);
      const id = await scene.follow(alice, 'kim');
      close('kim', 410);
      await server.app.contextDependencies.services.resolver.identify(old);
      await carriedOut(server);
      expect(await isGone(id)).equal(true);
      const uri = move('kim', '/ap/kim');
      const found = await scene.resolve(`kim@${peer.host}`);
      expect(found?.account).not.equal(id);
      expect(await shown(found?.account ?? '')).deep.include({ acct: `kim@${peer.host}`, uri });
    });
  });
});

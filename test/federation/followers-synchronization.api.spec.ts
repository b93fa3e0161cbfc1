import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { blockDomain, carriedOut, HERE, type Json, send, type SendOptions } from '../support/inbox.ts';
import { ask, type Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

const BOB = `${HERE}/users/bob`;
const NOBODY = '0'.repeat(64);

/** The digest of FEP-8fcf, as Mastodon computes it: SHA-256 of each URI, combined by XOR. */
function digestOf(...uris: string[]): string {
  const combined = Buffer.alloc(32);
  for (const uri of uris) {
    const one = createHash('sha256').update(uri).digest();
    for (let index = 0; index < 32; index += 1) combined[index] = (combined[index] ?? 0) ^ (one[index] ?? 0);
  }
  return combined.toString('hex');
}

/** The document that Mastodon serves. */
const partial = (id: string, orderedItems: string[]): Json => ({
  '@context': 'https://www.w3.org/ns/activitystreams',
  id,
  type: 'OrderedCollection',
  orderedItems,
});

describe('Followers synchronization', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { as, by, note, sent } = scene;
  let server: TestServer;
  let peer: Peer;
  let evil: Peer;
  let alice: TestUser;
  let bob: TestUser;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, evil, alice, bob } = await scene.start());
  });
  after(() => scene.close());

  const listOf = (name: string): string => `/users/${name}/followers_synchronization`;
  const timesAsked = (name: string, of = peer): number =>
    of.asked.filter(({ path }) => path.startsWith(listOf(name))).length;
  const relationship = async (user: TestUser, id: string) =>
    (await as(user, 'GET', `/api/v1/accounts/relationships?id[]=${id}`))[0];
  const synchronized = async (): Promise<void> => {
    await carriedOut(server);
    await scene.news();
  };

  describe('with the header of an incoming delivery', () => {
    const headerOf = (name: string, digest: string, changes: Json = {}): string => {
      const uri = `${peer.origin}/users/${name}`;
      const said = {
        collectionId: `${uri}/followers`,
        digest,
        url: `${peer.origin}${listOf(name)}`,
        ...changes,
      };
      return Object.entries(said)
        .map(([key, value]) => `${key}="${value}"`)
        .join(', ');
    };
    /** Delivers a followers-only post with this header. */
    const deliverWith = async (name: string, header: string, options: SendOptions = {}): Promise<void> => {
      const followers = `${peer.origin}/users/${name}/followers`;
      const create = sent(name, 'Create', note(name, { to: [followers] }));
      const headers = { 'collection-synchronization': header };
      const { status, body } = await send(server, by(name), create, { headers, ...options });
      expect(status, body).equal(202);
      await synchronized();
    };
    const serve = (name: string, ...uris: string[]): string =>
      peer.put(listOf(name), partial(`${peer.origin}${listOf(name)}`, uris));

    it('fetches no list when the digests are equal', async () => {
      scene.actor('same');
      const id = await scene.follow(alice, 'same');
      serve('same');
      await deliverWith('same', headerOf('same', digestOf(ALICE)));
      expect(timesAsked('same')).equal(0);
      expect((await relationship(alice, id)).following).equal(true);
    });

    it('ends a follow that the other server has lost, and sends nothing', async () => {
      scene.actor('loser');
      const id = await scene.follow(alice, 'loser');
      await scene.follow(bob, 'loser');
      await scene.news();
      serve('loser', BOB);
      const header = headerOf('loser', digestOf(BOB));
      const { status } = await send(
        server,
        by('loser'),
        sent('loser', 'Create', note('loser', { to: [`${peer.origin}/users/loser/followers`] })),
        { headers: { 'collection-synchronization': header } },
      );
      expect(status).equal(202);
      expect((await scene.news()).peer).deep.equal([]);
      expect(await relationship(alice, id)).include({ following: false, requested: false });
      expect((await relationship(bob, id)).following).equal(true);
    });

    it('ends every follow when the other server lists none', async () => {
      scene.actor('empty');
      const id = await scene.follow(alice, 'empty');
      serve('empty');
      await deliverWith('empty', headerOf('empty', NOBODY));
      expect((await relationship(alice, id)).following).equal(false);
    });

    it('undoes a follow that only the other server knows, and ignores URIs of no local account', async () => {
      const uri = scene.actor('keeper');
      await scene.follow(alice, 'keeper');
      await scene.news();
      const listed = [ALICE, BOB, `${HERE}/users/gone`, `${evil.origin}/users/eve`];
      serve('keeper', ...listed);
      const followers = `${uri}/followers`;
      await send(server, by('keeper'), sent('keeper', 'Create', note('keeper', { to: [followers] })), {
        headers: { 'collection-synchronization': headerOf('keeper', digestOf(...listed)) },
      });
      const { peer: news } = await scene.news();
      expect(news.map(({ type, actor }) => [type, actor])).deep.equal([['Undo', BOB]]);
      expect(news[0]?.['object']).include({ type: 'Follow', actor: BOB, object: uri });
    });

    it('accepts a follow request whose answer was lost', async () => {
      const uri = scene.actor('silent');
      const id = await scene.accountOf(uri);
      await as(alice, 'POST', `/api/v1/accounts/${id}/follow`);
      expect((await relationship(alice, id)).requested).equal(true);
      serve('silent', ALICE);
      await deliverWith('silent', headerOf('silent', digestOf(ALICE)));
      expect(await relationship(alice, id)).include({ following: true, requested: false });
    });

    it('ends nothing when the list does not match the digest', async () => {
      scene.actor('changing');
      const id = await scene.follow(alice, 'changing');
      serve('changing', BOB);
      await deliverWith('changing', headerOf('changing', NOBODY));
      expect(timesAsked('changing')).equal(1);
      expect((await relationship(alice, id)).following).equal(true);
    });

    it('reads a list of several pages, and ends nothing when one of them is missing', async () => {
      for (const name of ['paged', 'torn']) {
        scene.actor(name);
        const id = `${peer.origin}${listOf(name)}`;
        peer.put(listOf(name), { ...partial(id, []), orderedItems: undefined, first: `${id}/1` });
        peer.put(`${listOf(name)}/1`, {
          ...partial(`${id}/1`, [ALICE]),
          type: 'OrderedCollectionPage',
          next: `${id}/2`,
        });
      }
      peer.put(`${listOf('paged')}/2`, partial(`${peer.origin}${listOf('paged')}/2`, []));
      const ids = [];
      for (const name of ['paged', 'torn']) {
        await scene.follow(alice, name);
        ids.push(await scene.follow(bob, name));
        await deliverWith(name, headerOf(name, digestOf(ALICE)));
      }
      expect((await relationship(bob, ids[0] ?? '')).following).equal(false);
      expect((await relationship(bob, ids[1] ?? '')).following).equal(true);
      expect((await relationship(alice, ids[0] ?? '')).following).equal(true);
    });

    it('fetches the list of an actor once within a while, whatever the next digests are', async () => {
      scene.actor('often');
      await scene.follow(alice, 'often');
      serve('often', BOB);
      for (const digest of [NOBODY, digestOf(BOB), digestOf('x')]) {
        await deliverWith('often', headerOf('often', digest));
      }
      expect(timesAsked('often')).equal(1);
    });

    it('ignores a header that is unsigned, malformed or not about the sender', async () => {
      scene.actor('liar');
      const id = await scene.follow(alice, 'liar');
      serve('liar');
      evil.put(listOf('liar'), partial(`${evil.origin}${listOf('liar')}`, []));
      const header = headerOf('liar', NOBODY);
      await deliverWith('liar', header, {
        headers: {},
        headersAfter: (headers) => ({ ...headers, 'collection-synchronization': header }),
      });
      await deliverWith('liar', header, {
        headersAfter: (headers) => ({ ...headers, 'collection-synchronization': [header, header] }),
      }).catch(() => undefined);
      await deliverWith('liar', header, { spec: 'rfc9421' });
      const others: Json[] = [
        { collectionId: `${peer.origin}/users/same/followers` },
        { url: `${evil.origin}${listOf('liar')}` },
        { url: 'nowhere' },
        { digest: '0' },
        { digest: '' },
      ];
      for (const changes of others) await deliverWith('liar', headerOf('liar', NOBODY, changes));
      for (const broken of ['', 'x', 'digest="', `${header}, ${header}`, `${header}${'"'.repeat(9_000)}`]) {
        await deliverWith('liar', broken).catch(() => undefined);
      }
      expect([timesAsked('liar'), timesAsked('liar', evil)]).deep.equal([0, 0]);
      expect((await relationship(alice, id)).following).equal(true);
    });
  });

  describe('with outgoing deliveries', () => {
    /** Makes an actor of a peer follow a user. Returns the actor's URI. */
    const followed = async (name: string, of: Peer, target = ALICE): Promise<string> => {
      const uri = scene.actor(name, of);
      await send(server, by(name, of), sent(name, 'Follow', target, {}, of));
      await scene.news();
      return uri;
    };
    const inboxHeaders = (of: Peer): unknown[] =>
      of.asked
        .splice(0)
        .filter(({ path }) => path.endsWith('/inbox'))
        .map(({ headers }) => headers['collection-synchronization']);
    const fetched = async (path: string, signed?: [name: string, of: Peer]) => {
      const headers = signed ? await signed[1].sign(signed[0], `${HERE}${path}`) : {};
      return ask(server.url, path, { host: new URL(HERE).host, ...headers });
    };
    const itemsFor = async (...signed: [name: string, of: Peer]): Promise<string[]> => {
      const { status, body, headers } = await fetched(listOf('alice'), signed);
      expect(status).equal(200);
      expect(headers['cache-control']).match(/private|no-store/);
      const document = JSON.parse(body) as Json;
      expect(document).include({ id: `${ALICE}/followers_synchronization`, type: 'OrderedCollection' });
      return document['orderedItems'] as string[];
    };
    let fans: string[];
    let eve: string;

    before(async () => {
      fans = [await followed('fan1', peer), await followed('fan2', peer)];
      eve = await followed('eve', evil);
      scene.actor('passer', evil);
    });

    it('sends each server the digest of its own followers with a followers-only post and with its edit', async () => {
      inboxHeaders(peer);
      inboxHeaders(evil);
      const post = await as(alice, 'POST', '/api/v1/statuses', { status: 'Rooks', visibility: 'private' });
      await scene.news();
      const header = (digest: string): string =>
        `collectionId="${ALICE}/followers", digest="${digest}", url="${ALICE}/followers_synchronization"`;
      expect(inboxHeaders(peer)).deep.equal([header(digestOf(...fans)), header(digestOf(...fans))]);
      expect(inboxHeaders(evil)).deep.equal([header(digestOf(eve))]);
      await as(alice, 'PUT', `/api/v1/statuses/${post.id}`, { status: 'More rooks' });
      await scene.news();
      expect(inboxHeaders(evil)).deep.equal([header(digestOf(eve))]);
    });

    it('signs the header', async () => {
      await as(alice, 'POST', '/api/v1/statuses', { status: 'Signed', visibility: 'private' });
      await scene.news();
      const delivered = evil.asked.filter(({ path }) => path.endsWith('/inbox'));
      expect(delivered.at(-1)?.headers['signature']).match(/headers="[^"]*collection-synchronization/);
    });

    it('adds no header to public and direct posts', async () => {
      inboxHeaders(evil);
      await as(alice, 'POST', '/api/v1/statuses', { status: 'For all' });
      await as(alice, 'POST', '/api/v1/statuses', { status: `@eve@${evil.host} hi`, visibility: 'direct' });
      await scene.news();
      expect(inboxHeaders(evil)).deep.equal([undefined, undefined]);
    });

    it('lists to a server that signs its own followers, and refuses unsigned requests', async () => {
      expect(await itemsFor('fan1', peer)).deep.equal(fans);
      expect(await itemsFor('passer', evil)).deep.equal([eve]);
      expect((await fetched(listOf('alice'))).status).equal(401);
      expect((await fetched(listOf('nobody'), ['fan1', peer])).status).equal(404);
      await send(
        server,
        by('eve', evil),
        sent('eve', 'Undo', { type: 'Follow', actor: eve, object: ALICE }, {}, evil),
      );
      await scene.news();
      expect(await itemsFor('passer', evil)).deep.equal([]);
    });

    it('hides the list, and posts and collections, from a server that staff suspended after its key was known', async () => {
      const { uri } = await as(alice, 'POST', '/api/v1/statuses', { status: 'For all' });
      const paths = [
        listOf('alice'),
        (uri as string).slice(HERE.length),
        `/ap/users/${alice.id}/featured_collections`,
      ];
      const statuses = (): Promise<number[]> =>
        Promise.all(paths.map(async (path) => (await fetched(path, ['passer', evil])).status));
      expect(await statuses()).deep.equal([200, 200, 200]);
      await blockDomain(server, { domain: evil.host, severity: 'suspend' });
      expect(await statuses()).deep.equal([404, 404, 404]);
    });
  });
});

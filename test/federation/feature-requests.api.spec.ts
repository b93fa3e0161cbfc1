import { expect } from 'chai';
import { activity, deliver, HERE, type Json, PUBLIC } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { inboxScene } from './inbox-scene.ts';

describe('Requests of other servers to put local accounts into their collections', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { as, call, by, fetched } = scene;
  let server: TestServer;
  let peer: Peer;
  let alice: TestUser;
  let bob: TestUser;
  let owner: string;
  let made = 0;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, alice, bob } = await scene.start());
    owner = scene.actor('owner');
    scene.actor('other');
    await as(alice, 'PATCH', '/api/v1/accounts/update_credentials', { discoverable: true });
    await scene.follow(bob, 'owner');
    await scene.news();
  });
  after(() => scene.close());

  /** A collection that the peer serves, as its owner's document. */
  const collection = (changes: Json = {}): Json & { id: string } => {
    const number = (made += 1);
    const id = `${peer.origin}/ap/users/7/collections/${number}`;
    const document = {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id,
      type: 'FeaturedCollection',
      totalItems: 0,
      name: `Nice people ${number}`,
      attributedTo: owner,
      url: `${id}/page`,
      sensitive: false,
      discoverable: true,
      published: '2026-11-20T08:00:00Z',
      updated: '2026-11-20T08:00:00Z',
      summaryMap: { de: '<p>Leute</p><script>x</script>' },
      topic: { type: 'Hashtag', href: `${peer.origin}/tags/rooks`, name: '#rooks' },
      orderedItems: [] as Json[],
      ...changes,
    };
    peer.put(new URL(id).pathname, document);
    return document;
  };
  /** A request as Mastodon 4.6 sends it: without an actor. */
  const request = (instrument: string, user: TestUser = alice): Json => ({
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: `${owner}/feature_requests/${(made += 1)}`,
    type: 'FeatureRequest',
    instrument,
    object: `${HERE}/users/${user.username}`,
  });
  const news = async (): Promise<Json[]> => (await scene.news()).peer;
  const told = async (user: TestUser): Promise<Json[]> =>
    as(user, 'GET', '/api/v1/notifications?types[]=added_to_collection');
  const inCollections = async (): Promise<Json[]> =>
    (await as(alice, 'GET', `/api/v1/accounts/${alice.id}/in_collections`)).collections;

  it('are accepted with an authorization, and the account is notified', async () => {
    const { id, url } = collection();
    const asked = request(id);
    await deliver(server, by('owner'), asked);
    const [accept, ...more] = await news();
    expect(more).deep.equal([]);
    expect(accept).deep.include({
      type: 'Accept',
      actor: `${HERE}/users/alice`,
      to: owner,
      object: asked['id'],
    });
    const authorization = String(accept?.['result']);
    expect((await fetched(authorization)).body).deep.include({
      id: authorization,
      type: 'FeatureAuthorization',
      interactingObject: id,
      interactionTarget: `${HERE}/users/alice`,
    });
    const [shown] = await inCollections();
    expect(shown).deep.include({
      uri: id,
      url,
      local: false,
      language: 'de',
      description: '<p>Leute</p>',
      item_count: 1,
    });
    expect(shown?.['tag']).deep.include({ name: 'rooks' });
    const [notification] = await told(alice);
    expect(notification?.['collection']).deep.include({ uri: id });
    expect((notification?.['account'] as Json)['acct']).equal(`owner@${new URL(peer.origin).host}`);
  });

  it('get the same answer when they are repeated', async () => {
    const { id } = collection();
    const asked = request(id);
    await deliver(server, by('owner'), asked);
    const [first] = await news();
    await deliver(server, by('owner'), { ...asked, actor: owner });
    expect(await news(), 'the same request').deep.equal([]);
    await deliver(server, by('owner'), request(id));
    const [second] = await news();
    expect(second).deep.include({ type: 'Accept', result: first?.['result'] });
    expect((await inCollections()).filter(({ uri }) => uri === id)).to.have.length(1);
  });

  it('are rejected when the account is not discoverable or limits requests to followers', async () => {
    const rejected = async (user: TestUser) => {
      const asked = request(collection().id, user);
      await deliver(server, by('owner'), asked);
      const [answer, ...more] = await news();
      expect(more).deep.equal([]);
      expect(answer).deep.include({ object: asked['id'], to: owner });
      return answer?.['type'];
    };
    expect(await rejected(bob), 'not discoverable').equal('Reject');
    await as(bob, 'PATCH', '/api/v1/accounts/update_credentials', { discoverable: true, locked: true });
    expect(await rejected(bob), 'limited to followers').equal('Reject');
    expect(await told(bob)).deep.equal([]);
    await as(alice, 'POST', `/api/v1/accounts/${await scene.accountOf(owner)}/block`);
    await news();
    const asked = request(collection().id);
    await deliver(server, by('owner'), asked);
    expect(await news(), 'a blocked account gets no answer').deep.equal([]);
    await as(alice, 'POST', `/api/v1/accounts/${await scene.accountOf(owner)}/unblock`);
    await news();
  });

  it('have no effect when the collection does not belong to the sender', async () => {
    const { id } = collection();
    const foreign = collection({ attributedTo: `${peer.origin}/users/other` }).id;
    const note = peer.note('owner', 'no-collection');
    for (const asked of [
      request(foreign),
      request(note),
      request(`${HERE}/ap/users/${alice.id}/collections/1`),
      { ...request(id), object: `${HERE}/users/nobody` },
      { ...request(id), instrument: { type: 'FeaturedCollection' } },
      { ...request(id), object: 5 },
    ] as Json[]) {
      await deliver(server, by('owner'), asked);
      expect(await news(), JSON.stringify(asked)).deep.equal([]);
    }
    await deliver(server, by('other'), request(id));
    expect(await news(), 'signed by another account').deep.equal([]);
    const actor = `${peer.origin}/users/other`;
    await deliver(
      server,
      by('other'),
      activity(peer, 'other', 'FeatureRequest', `${HERE}/users/alice`, { actor, instrument: id }),
    );
    expect(await news()).deep.equal([]);
  });

  it('end when the account leaves the collection: the authorization is deleted and new requests are rejected', async () => {
    const { id } = collection();
    await deliver(server, by('owner'), request(id));
    const [accept] = await news();
    const authorization = String(accept?.['result']);
    const shown = (await inCollections()).find(({ uri }) => uri === id);
    const [item] = shown?.['items'] as Json[];
    const revoke = `/api/v1/collections/${String(shown?.['id'])}/items/${String(item?.['id'])}/revoke`;
    expect((await call(bob, 'POST', revoke)).status).equal(403);
    await as(alice, 'POST', revoke);
    const [deletion, ...more] = await news();
    expect(more).deep.equal([]);
    expect(deletion).deep.include({ type: 'Delete', actor: `${HERE}/users/alice`, to: [PUBLIC] });
    expect(deletion?.['object']).deep.include({ id: authorization, type: 'FeatureAuthorization' });
    expect((await fetched(authorization)).status).equal(404);
    await deliver(server, by('owner'), request(id));
    expect(
      (await news()).map(({ type }) => type),
      'it is not added again',
    ).deep.equal(['Reject']);
  });
});

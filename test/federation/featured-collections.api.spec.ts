import { expect } from 'chai';
import { blockServerAs, HERE, type Json, PUBLIC } from '../support/inbox.ts';
import { ask, type Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { inboxScene } from './inbox-scene.ts';

describe('Local collections as other servers see them', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { as, fetched } = scene;
  let server: TestServer;
  let peer: Peer;
  let alice: TestUser;
  let bob: TestUser;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, alice, bob } = await scene.start());
    for (const user of [alice, bob]) {
      await as(user, 'PATCH', '/api/v1/accounts/update_credentials', { discoverable: true });
    }
  });
  after(() => scene.close());

  const create = async (body: object): Promise<{ id: string; uri: string; url: string; items: Json[] }> =>
    (await as(alice, 'POST', '/api/v1/collections', { name: 'Rook people', ...body })).collection;
  const actorOf = async (user: TestUser): Promise<Json> =>
    (await fetched(`${HERE}/users/${user.username}`)).body;

  it('are linked from the actor, whose policy says who may feature it', async () => {
    const policyOf = async () => (await actorOf(bob))['interactionPolicy'];
    expect((await actorOf(bob))['featuredCollections']).equal(
      `${HERE}/ap/users/${bob.id}/featured_collections`,
    );
    expect(await policyOf()).deep.equal({ canFeature: { automaticApproval: [PUBLIC] } });
    const change = (body: object) => as(bob, 'PATCH', '/api/v1/accounts/update_credentials', body);
    await change({ locked: true });
    expect(await policyOf()).deep.equal({
      canFeature: { automaticApproval: [`${HERE}/users/bob/followers`] },
    });
    await change({ locked: false, discoverable: false });
    expect(await policyOf()).deep.equal({ canFeature: { automaticApproval: [`${HERE}/users/bob`] } });
    await change({ discoverable: true });
  });

  it('are served with their items and with the authorizations of their members', async () => {
    const made = await create({
      description: 'They know rooks',
      language: 'en',
      tag_name: 'Rooks',
      account_ids: [bob.id],
    });
    const itemId = String(made.items[0]?.['id']);
    const { status, body } = await fetched(made.uri);
    expect(status).equal(200);
    expect(body).deep.include({
      id: made.uri,
      type: 'FeaturedCollection',
      name: 'Rook people',
      totalItems: 1,
      url: made.url,
      attributedTo: `${HERE}/users/alice`,
      sensitive: false,
      discoverable: true,
      summaryMap: { en: 'They know rooks' },
      topic: { type: 'Hashtag', href: `${HERE}/tags/rooks`, name: '#Rooks' },
    });
    const [item] = body['orderedItems'] as Json[];
    const authorization = `${HERE}/ap/users/${bob.id}/feature_authorizations/${itemId}`;
    expect(item).deep.include({
      id: `${HERE}/ap/users/${alice.id}/collection_items/${itemId}`,
      type: 'FeaturedItem',
      featuredObject: `${HERE}/users/bob`,
      featureAuthorization: authorization,
    });
    const alone = (await fetched(String(item?.['id']))).body;
    expect(alone).deep.include({ ...item });
    expect((await fetched(authorization)).body).deep.include({
      id: authorization,
      type: 'FeatureAuthorization',
      interactingObject: made.uri,
      interactionTarget: `${HERE}/users/bob`,
    });
    expect((await fetched(made.url)).body['id'], 'at the address of its page').equal(made.uri);
    const older = made.uri.replace('/ap/users/', '/ap/');
    expect((await fetched(older)).body['id'], 'at the address of earlier versions').equal(made.uri);
    const page = await server.call('GET', made.uri.slice(HERE.length), { headers: { Accept: 'text/html' } });
    expect([page.status, page.headers.get('location')]).deep.equal([302, made.url]);
    await as(bob, 'POST', `/api/v1/collections/${made.id}/items/${itemId}/revoke`);
    expect((await fetched(made.uri)).body).deep.include({ totalItems: 0, orderedItems: [] });
    expect((await fetched(authorization)).status, 'revoked').equal(404);
    expect((await fetched(String(item?.['id']))).status).equal(404);
  });

  it('are listed in pages that leave out unlisted collections', async () => {
    for (let number = 1; number <= 5; number += 1) await create({ name: `Number ${number}` });
    const unlisted = await create({ name: 'Unlisted', discoverable: false });
    const list = `${HERE}/ap/users/${alice.id}/featured_collections`;
    expect((await fetched(list)).body).deep.include({
      id: list,
      type: 'Collection',
      totalItems: 6,
      first: `${list}?page=1`,
    });
    const first = (await fetched(`${list}?page=1`)).body;
    expect(first).deep.include({ type: 'CollectionPage', partOf: list, next: `${list}?page=2` });
    const second = (await fetched(`${list}?page=2`)).body;
    expect(second).deep.include({ prev: `${list}?page=1` });
    expect(second).not.have.property('next');
    const names = [first, second].flatMap(({ items }) => (items as Json[]).map(({ name }) => name));
    expect(names).deep.equal(['Number 5', 'Number 4', 'Number 3', 'Number 2', 'Number 1', 'Rook people']);
    expect((await fetched(unlisted.uri)).body['discoverable']).equal(false);
    expect((await fetched(`${list}?page=99999999999`)).status).equal(200);
  });

  it('are not found at a wrong address or by a server that their owner blocks', async () => {
    const made = await create({ name: 'Some' });
    for (const path of [
      `/ap/users/${bob.id}/collections/${made.id}`,
      `/ap/users/${alice.id}/collections/1`,
      `/ap/users/x/collections/${made.id}`,
      `/ap/users/${alice.id}/collection_items/${made.id}`,
      `/ap/users/${alice.id}/feature_authorizations/99999999999999999999`,
      '/ap/users/1/featured_collections',
    ]) {
      expect((await fetched(`${HERE}${path}`)).status, path).equal(404);
    }
    peer.actor('reader');
    const signed = async (uri: string): Promise<number> => {
      const headers = await peer.sign('reader', uri, { headers: { accept: 'application/activity+json' } });
      return (await ask({ url: server.url, from: undefined }, uri.slice(HERE.length), headers)).status;
    };
    expect(await signed(made.uri)).equal(200);
    await blockServerAs(server, alice, new URL(peer.origin).host);
    for (const uri of [made.uri, `${HERE}/ap/users/${alice.id}/featured_collections`]) {
      expect(await signed(uri), uri).equal(404);
    }
  });
});

import { expect } from 'chai';
import { deliver, HERE, type Json, PUBLIC } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { inboxScene } from './inbox-scene.ts';

/** The documents have the shape that Mastodon 4.6 sends. */
describe('Remote collections', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { as, call, by, sent } = scene;
  let server: TestServer;
  let peer: Peer;
  let far: Peer;
  let alice: TestUser;
  let bob: TestUser;
  let owner: string;
  let ownerId: string;
  let carol: string;
  let list: string;
  let made = 0;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, evil: far, alice, bob } = await scene.start());
    list = `${peer.origin}/ap/users/7/featured_collections`;
    owner = scene.actor('owner');
    scene.actor('stranger');
    carol = scene.actor('carol', far);
    ownerId = await scene.follow(alice, 'owner');
    await scene.news();
  });
  after(() => scene.close());

  const put = (document: Json & { id: string }) => {
    peer.put(new URL(document.id).pathname, document);
    return document;
  };
  const collection = (changes: Json = {}): Json & { id: string } => {
    const number = (made += 1);
    const id = `${peer.origin}/ap/users/7/collections/${number}`;
    return put({
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
      summary: 'Kind ones',
      orderedItems: [],
      ...changes,
    });
  };
  /** An item of a collection, with an authorization that carol's server serves. */
  const item = (collectionUri: string, changes: Json = {}): Json & { id: string } => {
    const number = (made += 1);
    const authorization = `${far.origin}/ap/users/1/feature_authorizations/${number}`;
    far.put(new URL(authorization).pathname, {
      id: authorization,
      type: 'FeatureAuthorization',
      interactingObject: collectionUri,
      interactionTarget: carol,
    });
    return {
      id: `${peer.origin}/ap/users/7/collection_items/${number}`,
      type: 'FeaturedItem',
      featuredObject: carol,
      featureAuthorization: authorization,
      published: '2026-11-20T08:00:00Z',
      ...changes,
    };
  };
  /** Delivers an activity without an id, as Mastodon sends it. */
  const act = async (type: string, object: unknown, target?: string, name = 'owner') => {
    const { id: _id, ...activity } = sent(name, type, object, target === undefined ? {} : { target });
    await deliver(server, by(name), activity);
  };
  const shown = async (uri: string): Promise<Json | undefined> => {
    await server.waitUntilIdle();
    const { collections } = await as(bob, 'GET', `/api/v1/accounts/${ownerId}/collections`);
    return (collections as Json[]).find((one) => one['uri'] === uri);
  };
  const membersOf = (one: Json | undefined) =>
    (one?.['items'] as Json[] | undefined)?.map(({ account_id }) => account_id);

  it('are shown with the members that agreed', async () => {
    const made = collection();
    const orderedItems = [
      item(made.id),
      item(made.id, { featuredObject: `${far.origin}/users/mallory` }),
      item(made.id, { featuredObject: `${HERE}/users/bob` }),
      { ...item(made.id), id: `${far.origin}/elsewhere` },
      { type: 'Note' },
      7,
    ];
    put({ ...made, orderedItems, totalItems: 6 });
    await act('Add', { ...made, orderedItems }, list);
    const one = await shown(made.id);
    expect(one).deep.include({
      name: made['name'],
      description: 'Kind ones',
      local: false,
      url: made['url'],
      item_count: 1,
      account_id: ownerId,
      discoverable: true,
    });
    expect(membersOf(one)).deep.equal([await scene.accountOf(carol)]);
    const page = await server.call('GET', `/collections/${String(one?.['id'])}`);
    expect([page.status, page.headers.get('location')]).deep.equal([302, made['url']]);
    const doc = await server.call('GET', `/collections/${String(one?.['id'])}`, {
      headers: { Accept: 'application/activity+json' },
    });
    expect(doc.status, 'not a document of this server').equal(404);
    expect((await call(alice, 'DELETE', `/api/v1/collections/${String(one?.['id'])}`)).status).equal(403);
  });

  it('follow the state at their server, whatever the order of activities', async () => {
    const made = collection();
    await act('Add', made, list);
    const entry = item(made.id);
    put({ ...made, name: 'Renamed', orderedItems: [entry] });
    await act('Update', { ...made, name: 'Older' });
    expect(await shown(made.id)).deep.include({ name: 'Renamed', item_count: 1 });
    put({ ...made, name: 'Renamed', orderedItems: [] });
    await act('Remove', entry.id, made.id);
    expect(membersOf(await shown(made.id))).deep.equal([]);
    await act('Add', entry, made.id);
    expect(membersOf(await shown(made.id)), 'an Add that was overtaken').deep.equal([]);
    await act('Remove', made.id, list, 'stranger');
    expect(await shown(made.id), 'by another account').not.equal(undefined);
    await act('Remove', made.id, list);
    expect(await shown(made.id)).equal(undefined);
  });

  it('lose a member that deletes its authorization', async () => {
    const made = collection();
    const entry = item(made.id);
    put({ ...made, orderedItems: [entry] });
    await act('Add', made, list);
    expect(await shown(made.id)).deep.include({ item_count: 1 });
    const deletion = sent('carol', 'Delete', entry['featureAuthorization'], { to: [PUBLIC] }, far);
    await deliver(server, by('carol', far), deletion);
    expect(await shown(made.id)).deep.include({ item_count: 0 });
  });

  it('notify local members of a new name, and lose them when their server removes the item', async () => {
    await as(bob, 'PATCH', '/api/v1/accounts/update_credentials', { discoverable: true });
    const made = collection();
    const { id: _id, ...request } = sent('owner', 'FeatureRequest', `${HERE}/users/bob`, {
      instrument: made.id,
    });
    await deliver(server, by('owner'), { ...request, id: `${owner}/feature_requests/${made.id.length}` });
    const [accept] = (await scene.news()).peer;
    const entry = item(made.id, {
      featuredObject: `${HERE}/users/bob`,
      featureAuthorization: accept?.['result'],
    });
    put({ ...made, name: 'Other people', orderedItems: [entry] });
    await act('Add', entry, made.id);
    expect(membersOf(await shown(made.id))).deep.equal([bob.id]);
    const [told] = await as(bob, 'GET', '/api/v1/notifications?types[]=collection_update');
    expect(told.collection).deep.include({ uri: made.id, name: 'Other people' });
    put({ ...made, name: 'Other people' });
    await act('Remove', entry.id, made.id);
    expect(membersOf(await shown(made.id))).deep.equal([]);
  });

  it('are not stored when no local account follows their owner', async () => {
    await scene.accountOf(`${peer.origin}/users/stranger`);
    const made = collection({ attributedTo: `${peer.origin}/users/stranger` });
    await act('Add', made, list, 'stranger');
    const rows = await server.app.db.query('select id from collections where uri = $1', [made.id]);
    expect(rows).deep.equal([]);
    const foreign = collection({ attributedTo: `${peer.origin}/users/stranger` });
    await act('Add', foreign, list);
    await act('Add', collection({ type: 'Collection' }), list);
    await act('Add', { id: `${far.origin}/1`, type: 'FeaturedCollection' }, list);
    expect(await shown(foreign.id)).equal(undefined);
  });

  it('are fetched when a local user follows their owner', async () => {
    const made = collection({ attributedTo: `${peer.origin}/users/lister` });
    const page = { id: `${list}?page=1`, type: 'CollectionPage', partOf: list, items: [made] };
    put({ id: list, type: 'Collection', totalItems: 1, first: page });
    scene.actor('lister');
    peer.actor('lister', { featuredCollections: list });
    const id = await scene.follow(alice, 'lister');
    await scene.news();
    const { collections } = await as(bob, 'GET', `/api/v1/accounts/${id}/collections`);
    expect(collections.map(({ uri }: Json) => uri)).deep.equal([made.id]);
  });
});

import { expect } from 'chai';
import { deliver, HERE, type Json, PUBLIC } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { inboxScene } from './inbox-scene.ts';

interface Item {
  id: string;
  state: string;
  account_id: string;
}
interface Collection {
  id: string;
  uri: string;
  item_count: number;
  items: Item[];
}

/** The documents have the shape that Mastodon 4.6 sends. */
describe('Remote accounts in local collections', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { as, by, call, sent } = scene;
  let server: TestServer;
  let peer: Peer;
  let evil: Peer;
  let alice: TestUser;
  let bob: TestUser;
  let carolUri: string;
  let carol: string;
  let made = 0;

  const policy = (...automaticApproval: string[]) => ({
    interactionPolicy: { canFeature: { automaticApproval } },
  });

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, evil, alice, bob } = await scene.start());
    scene.actor('fan');
    scene.actor('carol', evil);
    carolUri = evil.actor('carol', policy(PUBLIC));
    carol = await scene.accountOf(carolUri);
    await as(bob, 'PATCH', '/api/v1/accounts/update_credentials', { discoverable: true });
    const fan = `${peer.origin}/users/fan`;
    await deliver(server, by('fan'), {
      ...sent('fan', 'Follow', `${HERE}/users/alice`),
      id: `${fan}#follow`,
    });
    await news();
  });
  after(() => scene.close());

  /** Activities delivered to alice's follower and to carol since the last call. */
  const news = async () => {
    const { peer: fan, evil: member } = await scene.news();
    return { fan, member };
  };
  const types = ({ fan, member }: { fan: Json[]; member: Json[] }) => ({
    fan: fan.map(({ type }) => type),
    member: member.map(({ type }) => type),
  });
  const create = async (body: object = {}): Promise<Collection> =>
    (await as(alice, 'POST', '/api/v1/collections', { name: 'Rook people', ...body })).collection;
  const add = async ({ id }: Collection, account_id: string): Promise<Item> =>
    (await as(alice, 'POST', `/api/v1/collections/${id}/items`, { account_id })).collection_item;
  const show = async ({ id }: Collection, user = alice): Promise<Collection> =>
    (await as(user, 'GET', `/api/v1/collections/${id}`)).collection;
  /** Carol's authorization, which her server serves. */
  const authorize = (collection: Collection, changes: Json = {}): string => {
    const id = `${evil.origin}/ap/users/1/feature_authorizations/${(made += 1)}`;
    const document = {
      id,
      type: 'FeatureAuthorization',
      interactingObject: collection.uri,
      interactionTarget: carolUri,
      ...changes,
    };
    evil.put(new URL(id).pathname, document);
    return id;
  };
  const answer = (type: 'Accept' | 'Reject', request: unknown, more: Json = {}) =>
    deliver(
      server,
      by('carol', evil),
      sent('carol', type, request, { to: `${HERE}/users/alice`, ...more }, evil),
    );

  it('stay pending until their server agrees, and are then announced to followers and members', async () => {
    const collection = await create();
    expect(types(await news())).deep.equal({ fan: ['Add'], member: [] });
    const item = await add(collection, carol);
    expect(item).deep.include({ state: 'pending', account_id: carol });
    const { fan, member } = await news();
    expect(fan).deep.equal([]);
    const [request] = member;
    expect(request).deep.include({
      type: 'FeatureRequest',
      actor: `${HERE}/users/alice`,
      object: carolUri,
      instrument: collection.uri,
    });
    expect((await show(collection)).items, 'the owner sees it').to.have.length(1);
    expect(await show(collection, bob), 'others do not see it').deep.include({ item_count: 0, items: [] });
    expect((await scene.fetched(collection.uri)).body['orderedItems']).deep.equal([]);
    const result = authorize(collection);
    await answer('Accept', request?.['id'], { result });
    expect((await show(collection, bob)).items).to.have.length(1);
    const told = await news();
    expect(types(told)).deep.equal({ fan: ['Add'], member: ['Add'] });
    expect(told.fan[0]).deep.include({ actor: `${HERE}/users/alice`, target: collection.uri });
    expect(told.fan[0]?.['object']).deep.include({
      type: 'FeaturedItem',
      featuredObject: carolUri,
      featureAuthorization: result,
    });
    const [shown] = (await scene.fetched(collection.uri)).body['orderedItems'] as Json[];
    expect(shown).deep.include({ featuredObject: carolUri, featureAuthorization: result });
  });

  it('stay out when their server rejects the request or gives no valid authorization for it', async () => {
    const collection = await create();
    await news();
    await add(collection, carol);
    const [request] = (await news()).member;
    for (const result of [
      authorize(collection, { interactingObject: 'https://other.example/1' }),
      authorize(collection, { interactionTarget: `${evil.origin}/users/mallory` }),
      authorize(collection, { type: 'QuoteAuthorization' }),
      `${peer.origin}/stamps/1`,
      `${evil.origin}/none`,
      undefined,
    ]) {
      await answer('Accept', request?.['id'], { result });
      expect((await show(collection)).items[0]?.state, String(result)).equal('pending');
    }
    const accept = sent('fan', 'Accept', request?.['id'], { result: authorize(collection) });
    await deliver(server, by('fan'), accept);
    expect((await show(collection)).items[0]?.state, 'by another account').equal('pending');
    await answer('Reject', request?.['id']);
    expect((await show(collection)).items).deep.equal([]);
    expect(types(await news())).deep.equal({ fan: [], member: [] });
    await answer('Accept', request?.['id'], { result: authorize(collection) });
    expect((await show(collection)).items, 'too late').deep.equal([]);
  });

  it('receive changes of the collection, and can leave it for good', async () => {
    const collection = await create({ account_ids: [carol] });
    const created = await news();
    expect(types(created)).deep.equal({ fan: ['Add'], member: ['Add', 'FeatureRequest'] });
    expect(created.fan[0]?.['object']).deep.include({ id: collection.uri, totalItems: 0 });
    const result = authorize(collection);
    const request = created.member.find(({ type }) => type === 'FeatureRequest');
    await answer('Accept', request?.['id'], { result });
    await news();
    await add(collection, bob.id);
    expect(types(await news())).deep.equal({ fan: ['Add'], member: ['Add'] });
    await as(alice, 'PATCH', `/api/v1/collections/${collection.id}`, { name: 'More rook people' });
    const updated = await news();
    expect(types(updated)).deep.equal({ fan: ['Update'], member: ['Update'] });
    expect(updated.member[0]?.['object']).deep.include({ name: 'More rook people', totalItems: 2 });
    await deliver(
      server,
      by('carol', evil),
      sent('carol', 'Delete', { id: result, type: 'FeatureAuthorization' }, {}, evil),
    );
    expect((await show(collection)).items.map(({ account_id }) => account_id)).deep.equal([bob.id]);
    const left = await news();
    expect(types(left)).deep.equal({ fan: ['Remove'], member: ['Remove'] });
    expect(left.fan[0]).deep.include({ target: collection.uri });
    const again = await call(alice, 'POST', `/api/v1/collections/${collection.id}/items`, {
      account_id: carol,
    });
    expect(again.status, 'the account cannot be added again').equal(403);
    await as(alice, 'DELETE', `/api/v1/collections/${collection.id}`);
    const gone = await news();
    expect(types(gone)).deep.equal({ fan: ['Remove'], member: [] });
    expect(gone.fan[0]).deep.include({
      object: collection.uri,
      target: `${HERE}/ap/users/${alice.id}/featured_collections`,
    });
  });

  it('can be added only when their policy allows it', async () => {
    const collection = await create();
    const addingTo = async (changes: Json | undefined): Promise<number> => {
      const uri = evil.actor(`somebody${(made += 1)}`, changes);
      const account_id = await scene.accountOf(uri);
      return (await call(alice, 'POST', `/api/v1/collections/${collection.id}/items`, { account_id })).status;
    };
    expect(await addingTo(undefined), 'a server without such policies').equal(403);
    expect(await addingTo(policy()), 'nobody').equal(403);
    expect(await addingTo(policy('https://other.example/list')), 'an unknown collection').equal(403);
    expect(await addingTo({ interactionPolicy: { canFeature: { manualApproval: ['as:Public'] } } })).equal(
      200,
    );
    const approval = (await as(alice, 'GET', `/api/v1/accounts/${carol}`)).feature_approval;
    expect(approval).deep.equal({ automatic: ['public'], manual: [], current_user: 'automatic' });
  });
});

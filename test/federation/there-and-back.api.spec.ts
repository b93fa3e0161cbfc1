import { expect } from 'chai';
import { activity, actorWithInbox, deliver, FEDERATING, HERE, type Json } from '../support/inbox.ts';
import { type Peer, startPeer } from '../support/peer.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { delivered } from './remote-server.ts';

const ALICE = `${HERE}/users/alice`;

describe('Follows between servers', function () {
  this.timeout(60_000);
  let server: TestServer;
  let peer: Peer;
  let alice: TestUser;
  const arrivals: Json[] = [];

  before(async function () {
    this.timeout(120_000);
    [server, peer] = await Promise.all([startTestServer(FEDERATING), startPeer()]);
    alice = await server.user('alice');
  });
  after(() => Promise.all([server.close(), peer.close()]));

  /** Makes an actor known here, with an inbox. */
  const actor = async (name: string) => {
    const uri = actorWithInbox(peer, name, arrivals);
    const found = await server.app.contextDependencies.services.resolver.resolve(uri);
    return { uri, id: found?.account ?? '', by: { peer, name } };
  };
  const arrived = async (): Promise<Json[]> => {
    await delivered(server);
    return arrivals.splice(0);
  };
  const as = async (method: string, path: string, body?: object) => {
    const answer = await server.call(method, path, { token: alice.token, ...(body ? { body } : {}) });
    expect(answer.status, path).equal(200);
    return answer.body as Json;
  };
  const follow = (name: string) => activity(peer, name, 'Follow', ALICE);

  it('are accepted by the id of the Follow, each time it is sent', async () => {
    const fan = await actor('fan');
    for (const sent of [follow('fan'), follow('fan')]) {
      await deliver(server, fan.by, sent);
      const [accept, ...others] = await arrived();
      expect(others).deep.equal([]);
      expect(accept).deep.include({ type: 'Accept', actor: ALICE });
      expect(accept?.['object']).deep.equal({
        id: sent['id'],
        type: 'Follow',
        actor: fan.uri,
        object: ALICE,
      });
    }
  });

  it('are answered when the user of a locked account decides, under the id of the last Follow', async () => {
    await as('PATCH', '/api/v1/accounts/update_credentials', { locked: true });
    const asking = await actor('asking');
    await deliver(server, asking.by, follow('asking'));
    const last = follow('asking');
    await deliver(server, asking.by, last);
    expect((await arrived()).map(({ type }) => type)).not.include('Accept');
    await as('POST', `/api/v1/follow_requests/${asking.id}/authorize`);
    const [accept] = await arrived();
    expect(accept).deep.include({ type: 'Accept' });
    expect((accept?.['object'] as Json)['id']).equal(last['id']);
    // A removed follower is told by the same id.
    await as('POST', `/api/v1/accounts/${asking.id}/remove_from_followers`);
    const [reject] = await arrived();
    expect(reject).deep.include({ type: 'Reject' });
    expect((reject?.['object'] as Json)['id']).equal(last['id']);
  });

  it('are rejected when they come from a blocked account', async () => {
    const pest = await actor('pest');
    await as('POST', `/api/v1/accounts/${pest.id}/block`);
    await arrived();
    const sent = follow('pest');
    await deliver(server, pest.by, sent);
    const [reject, ...others] = await arrived();
    expect(others).deep.equal([]);
    expect(reject).deep.include({ type: 'Reject' });
    expect((reject?.['object'] as Json)['id']).equal(sent['id']);
  });

  it('are accepted by the Follow or by its id alone', async () => {
    const star = await actor('star');
    await as('POST', `/api/v1/accounts/${star.id}/follow`);
    const [sent] = await arrived();
    expect(sent).deep.include({ type: 'Follow', object: star.uri });
    const { '@context': _, ...object } = sent ?? {};
    await deliver(server, star.by, activity(peer, 'star', 'Accept', object));
    const [relationship] = (await as(
      'GET',
      `/api/v1/accounts/relationships?id[]=${star.id}`,
    )) as unknown as Json[];
    expect(relationship).deep.include({ following: true, requested: false });
    await as('POST', `/api/v1/accounts/${star.id}/unfollow`);
    const [undo] = await arrived();
    expect(undo).deep.include({ type: 'Undo', actor: ALICE });
    expect((undo?.['object'] as Json)['id']).equal(sent?.['id']);
    await as('POST', `/api/v1/accounts/${star.id}/follow`);
    const [again] = await arrived();
    await deliver(server, star.by, activity(peer, 'star', 'Accept', again?.['id']));
    const [named] = (await as('GET', `/api/v1/accounts/relationships?id[]=${star.id}`)) as unknown as Json[];
    expect(named, 'by its id alone').deep.include({ following: true });
  });
});

import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { deliver, type Json } from '../support/inbox.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

describe('A domain block that staff lifts', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { as, by, sent } = scene;
  after(() => scene.close());

  it('has told the server which follows ended, so that both sides can follow again', async function () {
    this.timeout(120_000);
    const { server, peer, alice } = await scene.start();
    const mod = await server.user('mod', { role: 'Admin', scopes: ['read', 'admin:read', 'admin:write'] });
    const friend = scene.actor('friend');
    const friendId = await scene.follow(alice, 'friend');
    const theirFollow = () => deliver(server, by('friend'), sent('friend', 'Follow', ALICE));
    const ties = async () => {
      await server.waitUntilIdle();
      const [tie] = await as(alice, 'GET', `/api/v1/accounts/relationships?id[]=${friendId}`);
      return [tie.following, tie.followed_by];
    };
    await theirFollow();
    expect(await ties()).deep.equal([true, true]);
    await scene.news();

    const domain = new URL(peer.origin).hostname;
    const block = { domain, severity: 'suspend' };
    const { id } = await as(mod, 'POST', '/api/v1/admin/domain_blocks', block);
    const farewells: Json[] = [];
    await eventually(async () => {
      farewells.push(...(await scene.news()).peer);
      expect(
        farewells.map(({ type, object }) => `${String(type)} ${String((object as Json)['type'])}`).sort(),
      ).deep.equal(['Reject Follow', 'Undo Follow']);
    });
    await as(mod, 'DELETE', `/api/v1/admin/domain_blocks/${id}`);
    expect(await ties()).deep.equal([false, false]);

    await theirFollow();
    expect((await scene.news()).peer.map(({ type }) => type)).deep.equal(['Accept']);
    await as(alice, 'POST', `/api/v1/accounts/${friendId}/follow`);
    const [follow] = (await scene.news()).peer;
    expect(follow).deep.include({ type: 'Follow', actor: ALICE, object: friend });
    await deliver(server, by('friend'), sent('friend', 'Accept', follow?.['id']));
    expect(await ties()).deep.equal([true, true]);
  });
});

import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { blockDomain } from '../support/inbox.ts';
import { letAccept, letFollow } from '../support/remote.ts';
import { delivered } from './remote-server.ts';
import { ALICE, Scene } from './scene.ts';

describe('A domain block by staff', function () {
  this.timeout(60_000);
  let scene: Scene;

  before(async function () {
    this.timeout(120_000);
    scene = await Scene.start();
    await scene.meet();
  });
  after(() => scene.close());

  it('tells the blocked server that follows in both directions ended, and nothing else', async () => {
    const { server, far, fan, fan2, alice, bob } = scene;
    const mod = await server.user('mod', { role: 'Admin', scopes: ['read', 'admin:write'] });
    await letFollow(server.app, fan.id, alice.id);
    await letFollow(server.app, alice.id, fan2.id);
    await letFollow(server.app, bob.id, fan.id);
    await delivered(server);
    far.news();
    // The peer's addresses use this host, its handles the domain far.example.
    await blockDomain(server, { domain: far.peer.host, severity: 'suspend' });
    await scene.call('POST', '/api/v1/admin/domain_blocks', mod, {
      domain: 'far.example',
      severity: 'suspend',
    });
    await eventually(() => {
      expect(far.arrivals.map(({ activity }) => activity.type as string).sort()).deep.equal([
        ...['Reject', 'Undo', 'Undo'],
      ]);
    });
    await scene.post(alice, { status: '@fan@far.example hello', visibility: 'public' });
    await delivered(server);
    const news = far
      .news()
      .map(({ inbox, activity }) => ({
        inbox,
        type: activity.type as string,
        object: { type: activity.object.type as string, actor: activity.object.actor as string },
      }));
    expect(news).to.have.deep.members([
      { inbox: '/users/fan/inbox', type: 'Reject', object: { type: 'Follow', actor: fan.uri } },
      { inbox: '/users/fan2/inbox', type: 'Undo', object: { type: 'Follow', actor: ALICE } },
      {
        inbox: '/users/fan/inbox',
        type: 'Undo',
        object: { type: 'Follow', actor: ALICE.replace('alice', 'bob') },
      },
    ]);
  });
});

describe('A suspension of one remote account by staff', function () {
  this.timeout(60_000);
  let scene: Scene;

  before(async function () {
    this.timeout(120_000);
    scene = await Scene.start();
    await scene.meet();
  });
  after(() => scene.close());

  it('ends the follows by the account, rejects them at its server, and keeps its followers', async () => {
    const { server, far, fan, alice, bob } = scene;
    const mod = await server.user('mod', { role: 'Admin', scopes: ['read', 'admin:write'] });
    for (const user of [alice, bob]) await letFollow(server.app, fan.id, user.id);
    await letFollow(server.app, alice.id, fan.id);
    await letAccept(server.app, fan.id, alice.id);
    await delivered(server);
    far.news();
    await scene.call('POST', `/api/v1/admin/accounts/${fan.id}/action`, mod, { type: 'suspend' });
    await delivered(server);
    const told = far
      .news()
      .map(({ inbox, activity }) => [inbox, activity.type, activity.actor, activity.object]);
    expect(told).to.have.length(2);
    for (const user of ['alice', 'bob']) {
      const actor = ALICE.replace('alice', user);
      const object = { type: 'Follow', actor: fan.uri, object: actor };
      expect(told).to.deep.include(['/users/fan/inbox', 'Reject', actor, object]);
    }
    await scene.call('POST', `/api/v1/admin/accounts/${fan.id}/unsuspend`, mod);
    const [seen] = await scene.call('GET', `/api/v1/accounts/relationships?id[]=${fan.id}`, alice);
    expect(seen).include({ following: true, followed_by: false });
    expect(await scene.arrived()).deep.equal([]);
  });
});

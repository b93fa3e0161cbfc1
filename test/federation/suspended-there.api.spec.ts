import { expect } from 'chai';
import { lift, takeAction } from '#commands/accounts/index.ts';
import { activity, deliver, expectIgnored, PUBLIC } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

describe('An account that its own server suspends', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  let server: TestServer;
  let peer: Peer;
  let alice: TestUser;
  let actor: string;
  let id: string;
  let statusId: string;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, alice } = await scene.start());
    actor = peer.actor('bird', { name: 'A bird' });
    id = await scene.accountOf(actor);
    statusId = (await scene.resolve(peer.note('bird', '1')))?.status ?? '';
    await server.waitUntilIdle();
  });
  after(() => scene.close());

  const bird = () => ({ peer, name: 'bird' });
  const document = (changes: object): object => ({
    id: actor,
    type: 'Person',
    preferredUsername: 'bird',
    inbox: `${actor}/inbox`,
    ...changes,
  });
  const update = (changes: object, stamp: number) =>
    deliver(
      server,
      bird(),
      activity(peer, 'bird', 'Update', document(changes), { id: `${actor}#updates/${stamp}`, to: [PUBLIC] }),
    );
  const seen = async (): Promise<{ account: Record<string, unknown>; status: number }> => ({
    account: (await server.call('GET', `/api/v1/accounts/${id}`, { token: alice.token })).body as never,
    status: (await server.call('GET', `/api/v1/statuses/${statusId}`, { token: alice.token })).status,
  });

  it('is hidden with its posts', async () => {
    expect(await seen()).deep.include({ status: 200 });
    await update({ suspended: true }, 1_900_000_001);
    const { account, status } = await seen();
    expect(account).deep.include({ suspended: true, display_name: '' });
    expect(status).equal(404);
  });

  it('cannot act, and cannot be unsuspended by staff here', async () => {
    await expectIgnored(server, bird(), activity(peer, 'bird', 'Follow', ALICE), 'suspended there');
    const error = await lift(server.app.systemContext('spec'), id, 'unsuspend', undefined).catch(String);
    expect(error).contain('not allowed');
    expect((await seen()).status).equal(404);
  });

  it('returns when its server lifts the suspension', async () => {
    await update({ name: 'A free bird' }, 1_900_000_002);
    const { account, status } = await seen();
    expect(account).not.have.property('suspended', true);
    expect(account).include({ display_name: 'A free bird' });
    expect(status).equal(200);
  });

  it('is discovered as suspended', async () => {
    const uri = peer.actor('stranger', { suspended: true });
    const { services } = server.app.contextDependencies;
    expect((await services.resolver.resolve(uri))?.account).equal(undefined);
    await server.waitUntilIdle();
    const lookUp = (): Promise<Record<string, unknown>> =>
      scene.as(alice, 'GET', `/api/v1/accounts/lookup?acct=stranger@${peer.host}`);
    expect(await lookUp()).include({ suspended: true });
    const back = { ...document({}), id: uri, inbox: `${uri}/inbox`, preferredUsername: 'stranger' };
    await deliver(server, { peer, name: 'stranger' }, activity(peer, 'stranger', 'Update', back));
    expect(await lookUp()).not.include({ suspended: true });
  });

  it('remains hidden while staff here suspends it too', async () => {
    const ctx = server.app.systemContext('spec');
    const measure = { action: 'suspend' as const, id: ctx.newId(), text: '', reportId: null };
    await takeAction(ctx, id, { ...measure, statusIds: [], notify: false }, undefined);
    await update({ name: 'A caged bird' }, 1_900_000_003);
    expect((await seen()).status).equal(404);
  });
});

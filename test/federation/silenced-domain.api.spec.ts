import { expect } from 'chai';
import { deliver, type Json } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

describe('A silenced domain', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { as, by, note, sent } = scene;
  let server: TestServer;
  let peer: Peer;
  let alice: TestUser;
  let mod: TestUser;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, alice } = await scene.start());
    mod = await server.user('mod', { role: 'Admin', scopes: ['read', 'admin:read', 'admin:write'] });
    for (const name of ['private', 'afterwards', 'early', 'late', 'later', 'friend']) peer.actor(name);
    scene.actor('friend');
    await scene.follow(alice, 'friend');
  });
  after(() => scene.close());

  const mention = async (name: string): Promise<void> => {
    const tag = [{ type: 'Mention', href: ALICE, name: '@alice' }];
    await deliver(server, by(name), sent(name, 'Create', note(name, { tag, cc: [ALICE] })));
    await server.waitUntilIdle();
  };
  const namesIn = (entities: Json[]): string[] =>
    entities.map(({ account }) => (account as { username: string }).username).sort();
  const told = async (): Promise<string[]> => namesIn(await as(alice, 'GET', '/api/v1/notifications'));
  const requests = async (): Promise<string[]> =>
    namesIn(await as(alice, 'GET', '/api/v1/notifications/requests'));

  it('has its notifications filtered until the block is lifted', async () => {
    await mention('early');
    const domain = new URL(peer.origin).hostname;
    const { id } = await as(mod, 'POST', '/api/v1/admin/domain_blocks', { domain, severity: 'silence' });
    await mention('early');
    await mention('late');
    await mention('friend');
    expect(await told()).deep.equal(['early', 'friend']);
    expect(await requests()).deep.equal(['early', 'late']);
    await as(mod, 'PUT', `/api/v1/admin/domain_blocks/${id}`, { severity: 'noop' });
    await mention('later');
    expect(await told()).deep.equal(['early', 'friend', 'later']);
    await as(mod, 'DELETE', `/api/v1/admin/domain_blocks/${id}`);
    await mention('later');
    expect(await requests()).deep.equal(['early', 'late']);
  });

  it('has its direct posts kept out of conversations', async () => {
    await as(alice, 'PATCH', '/api/v2/notifications/policy', { for_private_mentions: 'accept' });
    const direct = async (name: string): Promise<void> => {
      const tag = [{ type: 'Mention', href: ALICE, name: '@alice' }];
      await deliver(server, by(name), sent(name, 'Create', note(name, { tag, to: [ALICE], cc: [] })));
      await server.waitUntilIdle();
    };
    const conversations = async (): Promise<string[]> =>
      (await as(alice, 'GET', '/api/v1/conversations'))
        .map(({ accounts }: Json) => (accounts as { username: string }[])[0]?.username ?? '')
        .sort();
    const domain = new URL(peer.origin).hostname;
    const { id } = await as(mod, 'POST', '/api/v1/admin/domain_blocks', { domain, severity: 'silence' });
    for (const name of ['private', 'friend']) await direct(name);
    expect(await conversations()).deep.equal(['friend']);
    await as(mod, 'DELETE', `/api/v1/admin/domain_blocks/${id}`);
    await direct('afterwards');
    expect(await conversations()).deep.equal(['afterwards', 'friend']);
  });
});

import { expect } from 'chai';
import { deliver, type Json } from '../support/inbox.ts';
import { type Peer, PUBLIC_KEY } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { inboxScene } from './inbox-scene.ts';

describe('A remote memorial account', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  let server: TestServer;
  let peer: Peer;
  let alice: TestUser;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, alice } = await scene.start());
  });
  after(() => scene.close());

  it('is marked as memorial until its server says otherwise', async () => {
    const uri = peer.actor('late', { memorial: true });
    const id = await scene.accountOf(uri);
    const shown = (): Promise<Json> => scene.as(alice, 'GET', `/api/v1/accounts/${id}`);
    expect(await shown()).to.include({ memorial: true });
    const says = async (memorial: boolean): Promise<void> => {
      const actor = {
        id: uri,
        type: 'Person',
        preferredUsername: 'late',
        inbox: `${uri}/inbox`,
        memorial,
        publicKey: { id: `${uri}#main-key`, owner: uri, publicKeyPem: PUBLIC_KEY },
      };
      peer.actor('late', { memorial });
      await deliver(server, scene.by('late'), scene.sent('late', 'Update', actor));
      await server.waitUntilIdle();
    };
    await says(false);
    expect(await shown()).not.to.have.property('memorial');
    await says(true);
    expect(await shown()).to.include({ memorial: true });
  });
});

import { createPrivateKey, createPublicKey } from 'node:crypto';
import { expect } from 'chai';
import { forgetOldDeliveries } from '#interfaces/federation/delivery/forget.ts';
import { rookeryBeside } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { ask } from '../support/peer.ts';
import { letFollow } from '../support/remote.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { delivered, type RemoteServer } from './remote-server.ts';
import { ALICE, Scene } from './scene.ts';

describe('The command accounts rotate-keys', function () {
  this.timeout(60_000);
  let scene: Scene;
  let server: TestServer;
  let far: RemoteServer;
  let alice: TestUser;
  let bob: TestUser;

  before(async function () {
    this.timeout(120_000);
    scene = await Scene.start();
    await scene.meet();
    ({ server, alice, bob, far } = scene);
    await letFollow(server.app, scene.fan.id, alice.id);
    await delivered(server);
  });
  // Throws when another server has refused a signature.
  after(() => scene.close());

  const rotate = (...args: string[]) => rookeryBeside(server.app, 'accounts', 'rotate-keys', ...args);
  const shownKey = async (): Promise<string> => {
    const headers = { host: 'rookery.example', accept: 'application/activity+json' };
    const { body } = await ask(server.url, '/users/alice', headers);
    return (JSON.parse(body) as { publicKey: { publicKeyPem: string } }).publicKey.publicKeyPem;
  };
  /** Posts a status and waits until it has been delivered. */
  const posted = async (status: string): Promise<void> => {
    await scene.post(alice, { status });
    await delivered(server);
  };

  it('does nothing for an account that has no key yet', async () => {
    expect(await rotate('bob')).deep.include({
      code: 0,
      stdout: 'Nothing to do: this account has no key yet\n',
    });
  });

  it('announces the new key signed with the old one, and then signs with the new one in every process', async () => {
    await posted('With the first key');
    const first = await shownKey();
    far.news();
    const { keys } = server.app.federation;
    const formerPrivate = await keys.privateKey(alice.id);

    expect(await rotate('@alice')).deep.include({ code: 0, stdout: 'OK\n', stderr: '' });
    await delivered(server);
    const [told, ...others] = far.news();
    expect(others).deep.equal([]);
    expect(told?.activity).deep.include({ type: 'Update', actor: ALICE });
    const { publicKey } = told?.activity.object as { publicKey: { id: string; publicKeyPem: string } };
    expect(publicKey.id).equal(`${ALICE}#main-key`);
    expect(publicKey.publicKeyPem).not.equal(first);
    // The command ran in another process, so this one learns of the key a little later.
    await eventually(async () => expect(await shownKey()).equal(publicKey.publicKeyPem));

    await posted('With the second key');
    expect(far.news().map(({ activity }) => activity.type)).deep.equal(['Create']);
    expect(far.refused).deep.equal([]);

    const privateKey = createPrivateKey({
      key: await keys.privateKey(alice.id),
      format: 'der',
      type: 'pkcs8',
    } as const);
    const pem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' });
    expect(pem).equal(publicKey.publicKeyPem);
    const stored = await server.app.db.query<{ id: string; wrapped_private_key: Buffer }>(
      `select id, wrapped_private_key from durable.retired_actor_keys where account_id = $1
       union all select account_id, wrapped_private_key from durable.actor_keys where account_id = $1`,
      [alice.id],
    );
    expect(stored).to.have.length(2);
    for (const { wrapped_private_key: wrapped } of stored) {
      expect(wrapped.includes(formerPrivate.subarray(100, 140))).equal(false);
    }
    expect(await keys.retiredKey(stored[0]?.id ?? '')).deep.equal(formerPrivate);
  });

  it('rotates the keys of all accounts that have one and are not suspended', async () => {
    await server.app.federation.keys.publicKeys(bob.id);
    const eve = await server.user('eve');
    const suspended = await server.app.federation.keys.privateKey(eve.id);
    await scene.happen(eve.id, { type: 'AccountSuspended', data: { account_id: eve.id } });
    expect(await rotate('--all')).deep.include({ code: 0, stdout: 'OK, rotated the keys of 2 accounts\n' });
    await delivered(server);
    expect(far.news().map(({ activity }) => activity.type)).deep.equal(['Update']);
    await posted('With the third key');
    expect(far.refused).deep.equal([]);
    expect(await server.app.federation.keys.privateKey(eve.id)).deep.equal(suspended);
  });

  it('keeps old keys as long as activities signed with them', async () => {
    const { db } = server.app;
    const count = async (): Promise<number> =>
      (await db.query('select from durable.retired_actor_keys')).length;
    await forgetOldDeliveries(db, 90);
    expect(await count()).equal(3);
    await db.query(`update durable.retired_actor_keys set retired_at = now() - interval '10 days'`);
    await forgetOldDeliveries(db, 90);
    expect(await count()).equal(0);
  });

  it('requires either one account or --all', async () => {
    for (const args of [[], ['alice', '--all']]) {
      expect(await rotate(...args)).deep.include({ code: 64, stderr: 'Name one account, or say --all\n' });
    }
    expect((await rotate('nobody')).stderr).equal('There is no local account @nobody\n');
  });
});

import { expect } from 'chai';
import { isProvenBy, proofClaim } from '#interfaces/federation/signatures/integrity-proof.ts';
import { publicKeyIn } from '#interfaces/federation/signatures/multikey.ts';
import { rookeryBeside } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { ask } from '../support/peer.ts';
import { letFollow } from '../support/remote.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { delivered, PUBLIC, type RemoteServer } from './remote-server.ts';
import { ALICE, Scene } from './scene.ts';

type Json = Record<string, unknown>;
interface ShownKey {
  id: string;
  publicKeyMultibase: string;
}

describe('Integrity proofs of local accounts', function () {
  this.timeout(60_000);
  let scene: Scene;
  let server: TestServer;
  let far: RemoteServer;
  let wide: RemoteServer;
  let alice: TestUser;
  let bob: TestUser;

  before(async function () {
    this.timeout(120_000);
    scene = await Scene.start();
    await scene.meet();
    ({ server, alice, bob, far, wide } = scene);
    await letFollow(server.app, scene.fan.id, alice.id);
    await news();
  });
  // Throws when another server has refused a signature.
  after(() => scene.close());

  const shown = async (name = 'alice'): Promise<{ assertionMethod: ShownKey[]; publicKey: unknown }> => {
    const headers = { host: 'rookery.example', accept: 'application/activity+json' };
    const { body } = await ask(server.url, `/users/${name}`, headers);
    return JSON.parse(body) as { assertionMethod: ShownKey[]; publicKey: unknown };
  };
  const keyOf = async (name = 'alice'): Promise<ShownKey> => {
    const [key, ...others] = (await shown(name)).assertionMethod;
    expect(others).deep.equal([]);
    if (!key) throw new Error(`${name} shows no key`);
    return key;
  };
  const holds = (document: unknown, { id, publicKeyMultibase }: ShownKey): boolean => {
    const claim = proofClaim(document as Json);
    const key = publicKeyIn(publicKeyMultibase);
    return claim?.keyId === id && key !== undefined && isProvenBy(claim, key.pem);
  };
  const news = async (at = far): Promise<Json[]> => {
    await delivered(server);
    return at.news().map(({ activity }) => activity as Json);
  };

  it('can be verified by the key that the actor shows beside its RSA key', async () => {
    const key = await keyOf();
    expect(key).deep.include({ id: `${ALICE}#ed25519-key`, type: 'Multikey', controller: ALICE });
    expect(publicKeyIn(key.publicKeyMultibase)?.type).equal('ed25519');
    expect(await keyOf(), 'again').deep.equal(key);
    expect((await keyOf('bob')).publicKeyMultibase).not.equal(key.publicKeyMultibase);
  });

  it('are made by the new key after a rotation, which its announcement names', async () => {
    const former = await keyOf();
    expect((await rookeryBeside(server.app, 'accounts', 'rotate-keys', 'alice')).code).equal(0);
    const [told] = await news();
    const named = (told?.['object'] as { assertionMethod: ShownKey[] }).assertionMethod[0];
    expect(named?.id).equal(former.id);
    expect(named?.publicKeyMultibase).not.equal(former.publicKeyMultibase);
    // The former RSA key signs the announcement; a proof would have to be by a key that receivers do not know.
    expect(told).not.to.have.property('proof');
    await eventually(async () => expect(await keyOf()).deep.equal(named));
    await scene.post(alice, { status: 'With the new key' });
    const [created] = await news();
    expect(holds(created, await keyOf())).equal(true);
    expect(holds(created, former)).equal(false);
  });

  it('are part of everything that is for everybody, once for all who receive it', async () => {
    await letFollow(server.app, scene.loner.id, alice.id);
    await Promise.all([news(), news(wide)]);
    const key = await keyOf();
    const { id } = await scene.post(alice, { status: 'For everybody' });
    await delivered(server);
    await scene.call('PUT', `/api/v1/statuses/${id}`, alice, { status: 'For everybody, anew' });
    await delivered(server);
    await scene.call('POST', `/api/v1/statuses/${id}/pin`, alice);
    await delivered(server);
    await scene.call('PATCH', '/api/v1/accounts/update_credentials', alice, { display_name: 'Alice' });
    await delivered(server);
    await scene.call('DELETE', `/api/v1/statuses/${id}`, alice);
    const [atFar, atWide] = [await news(), await news(wide)];
    expect(atFar.map(({ type }) => type)).deep.equal(['Create', 'Update', 'Add', 'Update', 'Delete']);
    expect(atWide).deep.equal(atFar);
    for (const document of atFar) {
      expect(holds(document, key), String(document['type'])).equal(true);
      expect(holds({ ...document, actor: `${ALICE}2` }, key)).equal(false);
    }
    await scene.post(alice, { status: 'Unlisted', visibility: 'unlisted' });
    const [unlisted] = await news();
    expect(unlisted?.['cc']).to.include(PUBLIC);
    expect(holds(unlisted, key)).equal(true);
  });

  it('are not part of what only some may see, because they could be shown to others', async () => {
    await scene.post(alice, { status: 'For followers', visibility: 'private' });
    await scene.post(alice, { status: '@fan@far.example psst', visibility: 'direct' });
    await scene.call('POST', `/api/v1/accounts/${scene.fan.id}/follow`, alice);
    const private_ = await news();
    expect(private_.map(({ type }) => type).sort()).deep.equal(['Create', 'Create', 'Follow']);
    for (const document of private_) expect(document).not.to.have.property('proof');
  });

  it('are made by a key that an account from before gets when it first needs it', async () => {
    const { db, federation } = server.app;
    const before = await shown('bob');
    await db.query(
      `with emptied as (
         update durable.actor_keys set assertion_key = null, wrapped_assertion_key = null
         where account_id = $1 returning account_id::text as id)
       select pg_notify('rookery_actor_keys', id) from emptied`,
      [bob.id],
    );
    await eventually(async () =>
      expect((await shown('bob')).assertionMethod).not.deep.equal(before.assertionMethod),
    );
    const after = await shown('bob');
    expect(after.publicKey, 'the RSA key').deep.equal(before.publicKey);
    const again = await Promise.all([1, 2, 3].map(() => federation.keys.publicKeys(bob.id)));
    for (const { assertionKey } of again)
      expect(assertionKey).equal(after.assertionMethod[0]?.publicKeyMultibase);
  });

  it('are made by keys that are stored encrypted and bound to their account', async () => {
    const { db, federation } = server.app;
    const rows = await db.query<{ account_id: string; wrapped_assertion_key: Buffer }>(
      'select account_id, wrapped_assertion_key from durable.actor_keys where account_id = any($1)',
      [[alice.id, bob.id]],
    );
    expect(rows).to.have.length(2);
    const ofAlice = rows.find(({ account_id }) => account_id === alice.id)?.wrapped_assertion_key;
    // DER of an Ed25519 key begins with this.
    expect(ofAlice?.includes(Buffer.from('302e020100300506032b6570', 'hex'))).equal(false);
    await db.query('update durable.actor_keys set wrapped_assertion_key = $1 where account_id = $2', [
      ...[ofAlice, bob.id],
    ]);
    const failure = await federation.keys.proven(bob.id, { actor: ALICE }).catch((error: unknown) => error);
    expect(failure).instanceOf(Error);
  });
});

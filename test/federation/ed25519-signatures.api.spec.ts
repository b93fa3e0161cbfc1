import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { type AssertionKey, assertionKey, signedGet } from '../support/ed25519.ts';
import { FEDERATING, HERE } from '../support/inbox.ts';
import { ask, type Peer, startPeer } from '../support/peer.ts';
import { letFollow } from '../support/remote.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

describe('HTTP signatures with an Ed25519 key', function () {
  this.timeout(60_000);
  let server: TestServer;
  let peer: Peer;
  let alice: TestUser;
  let key: AssertionKey;
  /** The path of a followers-only post. */
  let path: string;

  before(async function () {
    this.timeout(120_000);
    [server, peer] = await Promise.all([startTestServer(FEDERATING), startPeer()]);
    alice = await server.user('alice');
    key = assertionKey(peer, 'fan');
    await follower('fan', key.named);
    const { body } = await server.call('POST', '/api/v1/statuses', {
      token: alice.token,
      body: { status: 'For followers', visibility: 'private' },
    });
    path = (body as { uri: string }).uri.slice(HERE.length);
  });
  after(() => Promise.all([server.close(), peer.close()]));

  /** Starts an actor that follows the author, and so may see the post. */
  const follower = async (name: string, document: Record<string, unknown>): Promise<void> => {
    const uri = peer.actor(name, document);
    const found = await server.app.contextDependencies.services.resolver.resolve(uri);
    await letFollow(server.app, found?.account ?? '', alice.id);
  };
  const asked = async (headers: Record<string, string>): Promise<number> =>
    (await ask(server.url, path, headers)).status;
  const by = (
    spec: 'rfc9421' | 'draft',
    algorithm?: string,
    of: Pick<AssertionKey, 'id' | 'privateKey'> = key,
  ) => asked(signedGet(of, `${HERE}${path}`, spec, algorithm));

  for (const [spec, algorithms] of [
    ['rfc9421', [undefined, 'ed25519']],
    ['draft', [undefined, 'hs2019', 'ed25519']],
  ] as const) {
    it(`count by ${spec} when the actor names the key in assertionMethod`, async () => {
      for (const algorithm of algorithms) expect(await by(spec, algorithm), algorithm).equal(200);
    });

    it(`do not count by ${spec} with the name of another algorithm, or by another key`, async () => {
      for (const algorithm of ['rsa-sha256', 'rsa-v1_5-sha256', 'ecdsa-p256-sha256'])
        expect(await by(spec, algorithm), algorithm).equal(404);
      const { privateKey } = generateKeyPairSync('ed25519');
      expect(await by(spec, undefined, { ...key, privateKey })).equal(404);
    });
  }

  it('count by a key whose document is its own, if the actor names it', async () => {
    const lone = assertionKey(peer, 'lone');
    const [document] = lone.named['assertionMethod'] as Record<string, unknown>[];
    const id = peer.put('/keys/lone', { ...document, id: `${peer.origin}/keys/lone` });
    await follower('lone', { assertionMethod: id });
    expect(await by('rfc9421', undefined, { ...lone, id })).equal(200);
    const loose = peer.put('/keys/loose', { ...document, id: `${peer.origin}/keys/loose` });
    expect(await by('rfc9421', undefined, { ...lone, id: loose }), 'not named').equal(404);
    const other = peer.put('/keys/other', {
      ...document,
      id: `${peer.origin}/keys/other`,
      controller: `${peer.origin}/users/fan`,
    });
    await follower('lone2', { assertionMethod: [id, other] });
    expect(await by('rfc9421', undefined, { ...lone, id: other }), 'of another actor').equal(404);
  });

  it('count by the only key of an actor that has no RSA key', async () => {
    const modern = assertionKey(peer, 'modern');
    await follower('modern', { ...modern.named, publicKey: undefined });
    expect(await by('rfc9421', 'ed25519', modern)).equal(200);
    for (const [changed, why] of [
      [{ type: 'JsonWebKey' }, 'another type'],
      [{ controller: `${peer.origin}/users/fan` }, 'another owner'],
      [{ publicKeyMultibase: 'z6Mk' }, 'no key'],
    ] as const) {
      const one = assertionKey(peer, `odd-${why.replace(' ', '-')}`);
      const [key] = one.named['assertionMethod'] as Record<string, unknown>[];
      await follower(`odd-${why.replace(' ', '-')}`, { assertionMethod: [{ ...key, ...changed }] });
      expect(await by('rfc9421', 'ed25519', one), why).equal(404);
    }
  });
});

import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import canonicalize from 'canonicalize';
import { expect } from 'chai';
import { type AssertionKey, assertionKey, provenBy } from '../support/ed25519.ts';
import {
  activity,
  carriedOut,
  deliver,
  expectIgnored,
  FEDERATING,
  HERE,
  type Json,
  PUBLIC,
  send,
} from '../support/inbox.ts';
import { type Peer, startPeer } from '../support/peer.ts';
import { letAccept } from '../support/remote.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

const DAY = 24 * 3_600_000;

describe('An activity that its actor has proven', function () {
  this.timeout(60_000);
  let server: TestServer;
  let far: Peer;
  let forwarder: Peer;
  let alice: TestUser;
  let author: AssertionKey;
  let accountId: string;
  let made = 0;
  const by = { name: 'forwarder' } as { peer: Peer; name: string };
  const direct = { name: 'author' } as { peer: Peer; name: string };

  before(async function () {
    this.timeout(120_000);
    [server, far, forwarder] = await Promise.all([startTestServer(FEDERATING), startPeer(), startPeer()]);
    alice = await server.user('alice');
    author = assertionKey(far, 'author');
    far.actor('author', author.named);
    forwarder.actor('forwarder');
    by.peer = forwarder;
    direct.peer = far;
    const found = await server.app.contextDependencies.services.resolver.resolve(`author@${far.host}`);
    accountId = found?.account ?? '';
    await server.call('POST', `/api/v1/accounts/${accountId}/follow`, { token: alice.token });
    await letAccept(server.app, accountId, alice.id);
  });
  after(() => Promise.all([server.close(), far.close(), forwarder.close()]));

  /** A public note whose server does not serve it. */
  const note = (changes: Json = {}): Json & { id: string } => ({
    id: `${far.origin}/sent/${(made += 1)}`,
    type: 'Note',
    attributedTo: `${far.origin}/users/author`,
    content: `<p>Rooks ${made}</p>`,
    published: new Date().toISOString(),
    to: [PUBLIC],
    cc: [],
    ...changes,
  });
  const written = (type: string, object: unknown, more: Json = {}): Json =>
    activity(far, 'author', type, object, { to: [PUBLIC], ...more });
  const proven = (type: string, object: unknown, now?: Date): Json =>
    provenBy(author, written(type, object), now);
  const shown = async (): Promise<string[]> => {
    await server.waitUntilIdle();
    const { body } = await server.call('GET', `/api/v1/accounts/${accountId}/statuses`, {
      token: alice.token,
    });
    return (body as { content: string }[]).map(({ content }) => content);
  };
  /** The paths of posts that were asked for at the author's server. */
  const fetched = (): string[] => far.asked.map(({ path }) => path).filter((path) => path.includes('/sent/'));

  it('counts when another server forwards it, without a request for the post', async () => {
    const post = note();
    await deliver(server, by, proven('Create', post));
    expect(await shown()).deep.equal([post['content']]);
    const edited = { ...post, content: '<p>Anew</p>', updated: new Date().toISOString() };
    await deliver(server, by, proven('Update', edited));
    expect(await shown()).deep.equal(['<p>Anew</p>']);
    await deliver(server, by, proven('Delete', { id: post.id, type: 'Tombstone' }));
    expect(await shown()).deep.equal([]);
    expect(fetched()).deep.equal([]);
  });

  it('counts also with a Linked Data signature beside the proof, which is no part of it', async () => {
    const post = note();
    await deliver(server, by, { ...proven('Create', post), signature: { type: 'RsaSignature2017' } });
    expect(await shown()).deep.equal([post['content']]);
    await deliver(server, by, proven('Delete', { id: post.id, type: 'Tombstone' }));
  });

  it('counts by a key of ML-DSA-44', async () => {
    const controller = `${far.origin}/users/quantum`;
    const { publicKey, privateKey } = generateKeyPairSync('ml-dsa-44' as 'ed25519');
    const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-1_312);
    const publicKeyMultibase = `u${Buffer.concat([Buffer.from('9024', 'hex'), raw]).toString('base64url')}`;
    const key = { id: `${controller}#ml-dsa`, type: 'Multikey', controller, publicKeyMultibase };
    far.actor('quantum', { assertionMethod: [key] });
    const post = note({ attributedTo: controller, to: [PUBLIC, `${HERE}/users/alice`] });
    const document = activity(far, 'quantum', 'Create', post, { to: [PUBLIC] });
    const options: Json = {
      '@context': document['@context'],
      type: 'DataIntegrityProof',
      cryptosuite: 'mldsa44-jcs-2024',
      verificationMethod: key.id,
      proofPurpose: 'assertionMethod',
      created: new Date().toISOString(),
    };
    const canonical = canonicalize as unknown as (value: unknown) => string;
    const message = Buffer.concat(
      [options, document].map((value) => createHash('sha256').update(canonical(value)).digest()),
    );
    const proofValue = `u${sign(null, message, privateKey).toString('base64url')}`;
    const wrong = `u${sign(null, Buffer.from('other'), privateKey).toString('base64url')}`;
    const before = fetched().length;
    await deliver(server, by, { ...document, proof: { ...options, proofValue: wrong } });
    expect(await server.app.contextDependencies.services.resolver.resolve(post.id)).equal(undefined);
    await deliver(server, by, { ...document, proof: { ...options, proofValue } });
    const known = await server.app.db.query('select from statuses where uri = $1', [post.id]);
    expect(known).to.have.length(1);
    expect(fetched().length - before, 'requests of this spec alone').equal(1);
  });

  it('does not count when it was changed, is of another key, has expired, or is old or without a date', async () => {
    const other = assertionKey(far, 'author');
    const colleague = assertionKey(far, 'colleague');
    far.actor('colleague', colleague.named);
    const document = proven('Create', note());
    const proof = document['proof'] as Json;
    const cases: [why: string, document: Json][] = [
      ['another text', { ...document, object: { ...(document['object'] as Json), content: 'Forged' } }],
      ['another key', provenBy({ ...other, id: author.id }, written('Create', note()))],
      ['a key that is not there', provenBy({ ...author, id: `${author.id}-2` }, written('Create', note()))],
      ['a key of another actor', provenBy(colleague, written('Create', note()))],
      [
        'the RSA key',
        provenBy({ ...author, id: `${far.origin}/users/author#main-key` }, written('Create', note())),
      ],
      ['expired', { ...document, proof: { ...proof, expires: '2026-01-01T00:00:00Z' } }],
      ['without a date', { ...document, proof: { ...proof, created: undefined } }],
      ['old', proven('Create', note(), new Date(Date.now() - 8 * DAY))],
      ['in the future', proven('Create', note(), new Date(Date.now() + DAY))],
    ];
    for (const [why, forged] of cases) await expectIgnored(server, by, forged, why);
    expect(await shown()).deep.equal([]);
  });

  it('does not count as a follow, a like or a boost, which could be brought back after it was undone', async () => {
    const { body } = await server.call('POST', '/api/v1/statuses', {
      token: alice.token,
      body: { status: 'Mine' },
    });
    const { uri, id } = body as { uri: string; id: string };
    for (const [type, object] of [
      ['Like', uri],
      ['Announce', uri],
      ['Follow', `${HERE}/users/alice`],
    ] as const) {
      await expectIgnored(server, by, proven(type, object), type);
    }
    const { body: after } = await server.call('GET', `/api/v1/statuses/${id}`, { token: alice.token });
    expect(after).to.deep.include({ favourites_count: 0, reblogs_count: 0 });
  });

  it('changes nothing when others repeat it after its author changed the post again', async () => {
    const post = note();
    const minutes = (n: number) => new Date(Date.now() + n * 60_000).toISOString();
    const create = proven('Create', post);
    const first = proven('Update', { ...post, content: '<p>First</p>', updated: minutes(1) });
    const second = proven('Update', { ...post, content: '<p>Second</p>', updated: minutes(2) });
    const end = proven('Delete', { id: post.id, type: 'Tombstone' });
    for (const each of [create, first, second]) await deliver(server, direct, each);
    expect(await shown()).deep.equal(['<p>Second</p>']);
    for (const each of [create, first, second]) await expectIgnored(server, by, each, 'repeated');
    expect(await shown()).deep.equal(['<p>Second</p>']);
    await deliver(server, direct, end);
    for (const each of [create, first, second, end]) await expectIgnored(server, by, each, 'after the end');
    expect(await shown()).deep.equal([]);
  });

  it('is not kept out by another actor who sends its proof first', async () => {
    const post = note();
    const create = proven('Create', post);
    const copied = activity(forwarder, 'forwarder', 'Create', { id: `${forwarder.origin}/1`, type: 'Note' });
    await Promise.all([
      send(server, by, { ...copied, proof: create['proof'] }),
      send(server, direct, create),
    ]);
    await carriedOut(server);
    expect(await shown()).deep.equal([post['content']]);
    await deliver(server, direct, proven('Delete', { id: post.id, type: 'Tombstone' }));
  });

  it('is recognised by the new key of its actor as soon as that made it', async () => {
    const next = assertionKey(far, 'author');
    far.actor('author', next.named);
    const post = note();
    await deliver(server, by, provenBy(next, written('Create', post)));
    expect(await shown()).deep.equal([post['content']]);
    author = next;
    await deliver(server, by, proven('Delete', { id: post.id, type: 'Tombstone' }));
  });

  it('is refused without any signature of its author, and ignored when that has expired', async () => {
    const before = far.asked.length;
    expect((await send(server, by, written('Create', note()))).status).equal(401);
    const { body } = await server.call('POST', '/api/v1/statuses', {
      token: alice.token,
      body: { status: 'Answer me' },
    });
    const { uri } = body as { uri: string };
    const answer = { ...note(), inReplyTo: uri };
    const signature = { type: 'RsaSignature2017', expires: '2026-01-01T00:00:00Z' };
    await expectIgnored(server, by, written('Create', answer, { signature }), 'expired');
    for (const expires of ['soon', 7, null])
      await expectIgnored(
        server,
        by,
        written('Create', answer, { signature: { ...signature, expires } }),
        'odd',
      );
    expect(far.asked.length, 'nothing was fetched').equal(before);
    const later = { ...signature, expires: new Date(Date.now() + DAY).toISOString() };
    await expectIgnored(server, by, written('Create', answer, { signature: later }), 'is not served');
    expect(far.asked.length, 'the post was asked for').greaterThan(before);
  });
});

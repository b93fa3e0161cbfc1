import { verifyJsonLd } from '@fedify/fedify/sig';
import { expect } from 'chai';
import type { AdminRelay, Status } from '#mastodon/schemas/index.ts';
import { assertionKey, provenBy } from '../support/ed25519.ts';
import {
  activity,
  actorWithInbox,
  blockDomain,
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
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { delivered } from './remote-server.ts';

const SERVER = `${HERE}/actor`;
const AS = 'https://www.w3.org/ns/activitystreams';
const RELAYS = '/api/v1/admin/relays';

describe('A relay', function () {
  this.timeout(60_000);
  let server: TestServer;
  let relay: Peer;
  let far: Peer;
  let boss: TestUser;
  let alice: TestUser;
  let arrivals: Json[];
  const by = { name: 'relay' } as { peer: Peer; name: string };

  beforeEach(async function () {
    this.timeout(120_000);
    [server, relay, far] = await Promise.all([startTestServer(FEDERATING), startPeer(), startPeer()]);
    [boss, alice] = await Promise.all([
      server.user('boss', { role: 'Owner', scopes: ['admin:read', 'admin:write'] }),
      server.user('alice'),
    ]);
    by.peer = relay;
    arrivals = [];
    actorWithInbox(relay, 'relay', arrivals);
    far.actor('author');
  });
  afterEach(() => Promise.all([server.close(), relay.close(), far.close()]));

  const actor = (): string => `${relay.origin}/users/relay`;
  const inbox = (): string => `${actor()}/inbox`;
  const arrived = async (): Promise<Json[]> => {
    await carriedOut(server);
    await delivered(server);
    return arrivals.splice(0);
  };
  const staff = async (method: string, path: string, body?: object): Promise<AdminRelay> => {
    const answer = await server.call(method, path, { token: boss.token, ...(body ? { body } : {}) });
    expect(answer.status, JSON.stringify(answer.body)).equal(200);
    return answer.body as AdminRelay;
  };
  const add = (more: object = {}) => staff('POST', RELAYS, { inbox_url: inbox(), ...more });
  const stateOf = async ({ id }: AdminRelay): Promise<string> =>
    (await staff('GET', `${RELAYS}/${id}`)).state;
  const answer = (type: string, object: unknown): Promise<void> =>
    deliver(server, by, activity(relay, 'relay', type, object));
  /** Adds the relay, which accepts. */
  const subscribe = async (more: object = {}): Promise<AdminRelay> => {
    const added = await add(more);
    const [follow] = await arrived();
    await answer('Accept', follow);
    expect(await stateOf(added)).equal('accepted');
    return added;
  };
  const post = async (body: object): Promise<Status> => {
    const { status, body: made } = await server.call('POST', '/api/v1/statuses', {
      token: alice.token,
      body,
    });
    expect(status).equal(200);
    return made as Status;
  };
  const publicTimeline = async (): Promise<Status[]> => {
    await server.waitUntilIdle();
    return (await server.call('GET', '/api/v1/timelines/public?remote=true', { token: alice.token }))
      .body as Status[];
  };
  /** An activity of the author in the form in which Mastodon relays forward it. */
  const written = (type: string, object: unknown, more: Json = {}): Json =>
    activity(far, 'author', type, object, { to: [PUBLIC], signature: { type: 'RsaSignature2017' }, ...more });

  it("gets a Follow of the public collection in Mastodon's form, and its Undo when disabled", async () => {
    const added = await add();
    const [follow, ...others] = await arrived();
    expect(others).deep.equal([]);
    const { id, ...rest } = follow ?? {};
    expect(id).to.match(new RegExp(`^${SERVER}#relays/\\d+$`));
    expect(rest).deep.equal({ '@context': AS, type: 'Follow', actor: SERVER, object: PUBLIC });
    expect(await stateOf(added)).equal('pending');
    await answer('Accept', follow);
    expect(await stateOf(added)).equal('accepted');
    await staff('POST', `${RELAYS}/${added.id}/disable`);
    const [undo] = await arrived();
    expect(undo).deep.equal({
      '@context': AS,
      id: `${String(id)}/undo`,
      type: 'Undo',
      actor: SERVER,
      object: { id, type: 'Follow', actor: SERVER, object: PUBLIC },
    });
    await staff('POST', `${RELAYS}/${added.id}/enable`);
    expect((await arrived())[0]?.['id']).not.equal(id);
    await answer('Accept', follow);
    expect(await stateOf(added), 'an answer to the former Follow').equal('pending');
  });

  it('may reject, and may answer with the id of the Follow or without any id', async () => {
    const added = await add();
    const [follow] = await arrived();
    await answer('Reject', follow?.['id']);
    expect(await stateOf(added)).equal('rejected');
    await answer('Accept', { type: 'Follow', actor: SERVER, object: PUBLIC });
    expect(await stateOf(added)).equal('accepted');
    await staff('DELETE', `${RELAYS}/${added.id}`);
    expect((await arrived()).map(({ type }) => type)).deep.equal(['Undo']);
  });

  it('is not answered for by an actor of another host', async () => {
    const added = await add();
    const [follow] = await arrived();
    await expectIgnored(
      server,
      { peer: far, name: 'author' },
      activity(far, 'author', 'Accept', follow),
      'of another host',
    );
    expect(await stateOf(added)).equal('pending');
  });

  it('receives public posts, edits and deletions that carry the signature of their author', async () => {
    await post({ status: 'Before' });
    await subscribe();
    const { id } = await post({
      status: 'For all #rooks @boss https://example.org/ä?b=c d',
      spoiler_text: 'Birds',
      language: 'en',
      poll: { options: ['Rook', 'Jay'], expires_in: 3_600 },
    });
    for (const visibility of ['unlisted', 'private', 'direct'])
      await post({ status: '@alice Not for all', visibility });
    const [created, ...others] = await arrived();
    expect(others).deep.equal([]);
    expect(created).to.deep.include({ type: 'Create', actor: `${HERE}/users/alice`, to: [PUBLIC] });
    expect(created?.['signature']).to.deep.include({
      type: 'RsaSignature2017',
      creator: `${HERE}/users/alice#main-key`,
    });
    await server.call('PUT', `/api/v1/statuses/${id}`, {
      token: alice.token,
      body: { status: 'For all, anew' },
    });
    await server.call('DELETE', `/api/v1/statuses/${id}`, { token: alice.token });
    const [updated, deleted, ...more] = await arrived();
    expect([updated?.['type'], deleted?.['type'], more]).deep.equal(['Update', 'Delete', []]);
    for (const document of [created, updated, deleted]) expect(await holds(document)).equal(true);
    expect(await holds({ ...created, published: '2020-01-01T00:00:00Z' })).equal(false);
    const signature = created?.['signature'] as Json;
    const days = (Date.parse(String(signature['expires'])) - Date.now()) / (24 * 3_600_000);
    expect(days).to.be.within(8.9, 9);
    const longer = { ...signature, expires: '2099-01-01T00:00:00Z' };
    expect(await holds({ ...created, signature: longer }), 'the end is signed').equal(false);
  });

  /** Does the document carry a valid signature of its actor? */
  const holds = (document: unknown): Promise<boolean> =>
    verifyJsonLd(document, {
      documentLoader: async (url) => {
        const headers = { Accept: 'application/activity+json' };
        const { body } = await server.call('GET', new URL(url).pathname, { headers });
        const actorDocument = typeof body === 'string' ? (JSON.parse(body) as unknown) : body;
        return { contextUrl: null, documentUrl: url, document: actorDocument };
      },
    });

  it('receives nothing before it accepts, after it is disabled, and while its server is blocked', async () => {
    const added = await add();
    const [follow] = await arrived();
    await post({ status: 'Too early' });
    expect(await arrived()).deep.equal([]);
    await answer('Accept', follow);
    await staff('POST', `${RELAYS}/${added.id}/disable`);
    await arrived();
    await post({ status: 'Too late' });
    expect(await arrived()).deep.equal([]);
    await staff('POST', `${RELAYS}/${added.id}/enable`);
    await answer('Accept', (await arrived())[0]);
    await blockDomain(server, { domain: relay.host, severity: 'suspend' });
    await post({ status: 'Not to them' });
    expect(await arrived()).deep.equal([]);
  });

  it('brings posts of accounts without local followers, as their own server serves them', async () => {
    await subscribe();
    const uri = far.note('author', 'relayed', { content: '<p>As it is there</p>' });
    const note = { id: uri, type: 'Note', content: '<p>As the relay says</p>', to: [PUBLIC] };
    await deliver(server, by, written('Create', note));
    const [found, ...others] = await publicTimeline();
    expect(others).deep.equal([]);
    expect(found).to.deep.include({
      uri,
      content: '<p>As it is there</p>',
      visibility: 'public',
      reblog: null,
    });
    far.note('author', 'relayed', { content: '<p>Anew</p>', updated: '2026-11-20T09:00:00Z' });
    await deliver(server, by, written('Update', { id: uri, type: 'Note' }));
    expect((await publicTimeline())[0]?.content).equal('<p>Anew</p>');
    await deliver(server, by, written('Delete', { id: uri, type: 'Tombstone' }));
    expect(await publicTimeline(), 'its server still serves it').to.have.length(1);
    const old = far.note('author', 'old');
    await deliver(server, by, written('Update', { id: old, type: 'Note' }));
    expect(await publicTimeline(), 'an edit of an unknown post adds none').to.have.length(1);
    far.put('/notes/relayed', (_req, res) => void res.status(404).end());
    await deliver(server, by, written('Delete', { id: uri, type: 'Tombstone' }));
    expect(await publicTimeline()).deep.equal([]);
  });

  it('brings posts that their author has proven without a request for them', async () => {
    await subscribe();
    const key = assertionKey(far, 'author');
    far.actor('author', key.named);
    const proven = (type: string, object: unknown): Json =>
      provenBy(key, activity(far, 'author', type, object, { to: [PUBLIC] }));
    const attributedTo = `${far.origin}/users/author`;
    const published = new Date().toISOString();
    const note = {
      id: `${far.origin}/sent/1`,
      type: 'Note',
      attributedTo,
      to: [PUBLIC],
      published,
      content: '<p>As the author says</p>',
    };
    await deliver(server, by, proven('Create', note));
    const [found, ...others] = await publicTimeline();
    expect(others).deep.equal([]);
    expect(found).to.deep.include({ uri: note.id, content: note.content, visibility: 'public' });
    const updated = new Date().toISOString();
    await deliver(server, by, proven('Update', { ...note, content: '<p>Anew</p>', updated }));
    expect((await publicTimeline())[0]?.content).equal('<p>Anew</p>');
    await deliver(server, by, proven('Delete', { id: note.id, type: 'Tombstone' }));
    expect(await publicTimeline()).deep.equal([]);
    for (const [why, changes] of Object.entries({
      'by another author': { attributedTo: `${far.origin}/users/other` },
      'for followers': { to: [`${attributedTo}/followers`] },
      'of another server': { id: `${relay.origin}/sent/1` },
    })) {
      const id = `${far.origin}/sent/${why.replaceAll(' ', '-')}`;
      await deliver(server, by, proven('Create', { ...note, id, ...changes }));
      expect(await publicTimeline(), why).deep.equal([]);
    }
    expect(far.asked.filter(({ path }) => path.includes('/sent/'))).deep.equal([]);
  });

  it('brings no private posts, no posts with an id elsewhere, and no posts of a suspended server', async () => {
    await subscribe();
    const shown = async (): Promise<number> => (await publicTimeline()).length;
    const followers = far.note('author', 'private', { to: [`${far.origin}/users/author/followers`] });
    await deliver(server, by, written('Create', { id: followers, type: 'Note' }));
    await deliver(server, by, written('Create', { id: `${relay.origin}/notes/1`, type: 'Note' }));
    await deliver(server, by, written('Create', { id: `${far.origin}/notes/none`, type: 'Note' }));
    const mine = await post({ status: 'Mine' });
    await deliver(server, by, {
      ...activity(far, 'author', 'Create', { id: mine.uri, type: 'Note' }),
      actor: `${HERE}/users/alice`,
    });
    expect(await shown()).equal(0);
    await blockDomain(server, { domain: far.host, severity: 'suspend' });
    await deliver(server, by, written('Create', { id: far.note('author', 'blocked'), type: 'Note' }));
    expect(await shown()).equal(0);
  });

  it('is ignored without a subscription', async () => {
    const uri = far.note('author', 'stray');
    const unsigned = activity(far, 'author', 'Create', { id: uri, type: 'Note' });
    expect((await send(server, by, unsigned)).status).equal(401);
    await deliver(server, by, written('Create', { id: uri, type: 'Note' }));
    await deliver(server, by, activity(relay, 'relay', 'Announce', uri));
    expect(await publicTimeline()).deep.equal([]);
  });

  describe("in LitePub's form", () => {
    const subscribeTo = () => subscribe({ actor_url: actor() });

    it('is followed as an actor, and its own Follow of the server is accepted', async () => {
      const added = await add({ actor_url: actor() });
      const [follow] = await arrived();
      expect(follow).to.deep.include({ type: 'Follow', actor: SERVER, to: [actor()], object: actor() });
      await answer('Accept', follow);
      expect(await stateOf(added)).equal('accepted');
      const back = activity(relay, 'relay', 'Follow', SERVER);
      await deliver(server, by, back);
      const [accept] = await arrived();
      expect(accept).to.deep.include({ type: 'Accept', actor: SERVER, to: [actor()] });
      expect(accept?.['object']).deep.equal({
        id: back['id'],
        type: 'Follow',
        actor: actor(),
        object: SERVER,
      });
      await deliver(server, { peer: far, name: 'author' }, activity(far, 'author', 'Follow', SERVER));
      expect(await arrived()).deep.equal([]);
    });

    it('gets an Announce by the server for each post, and deletions by the author', async () => {
      await subscribeTo();
      const { id, uri } = await post({ status: 'For all' });
      const [announce, ...others] = await arrived();
      expect(others).deep.equal([]);
      expect(announce).to.deep.include({ type: 'Announce', actor: SERVER, to: [PUBLIC], object: uri });
      await server.call('DELETE', `/api/v1/statuses/${id}`, { token: alice.token });
      expect((await arrived()).map(({ type, actor: by }) => [type, by])).deep.equal([
        ['Delete', `${HERE}/users/alice`],
      ]);
    });

    it('brings posts by an Announce, which does not count as a reblog', async () => {
      await subscribeTo();
      const uri = far.note('author', 'announced');
      await deliver(server, by, activity(relay, 'relay', 'Announce', uri, { to: [PUBLIC] }));
      const [found, ...others] = await publicTimeline();
      expect(others).deep.equal([]);
      expect(found).to.deep.include({ uri, reblogs_count: 0, reblog: null });
      expect(found?.account.acct).equal(`author@${far.host}`);
      await deliver(server, by, activity(relay, 'relay', 'Announce', uri, { to: [PUBLIC] }));
      expect(await publicTimeline()).to.have.length(1);
    });
  });
});

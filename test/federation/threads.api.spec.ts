import { expect } from 'chai';
import type { Context, Status } from '#mastodon/schemas/index.ts';
import { listen } from '../streaming/support.ts';
import { eventually } from '../support/eventually.ts';
import { carriedOut, deliver, type Json, PUBLIC } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

describe('Remote threads', function () {
  this.timeout(120_000);
  const scene = inboxScene();
  const { accountOf, as, by, sent } = scene;
  let server: TestServer;
  let peer: Peer;
  let far: Peer;
  let alice: TestUser;
  let authorId: string;
  let made = 0;

  before(async () => {
    ({ server, peer, evil: far, alice } = await scene.start());
    const author = peer.actor('author');
    peer.actor('friend');
    far.actor('dan');
    authorId = await accountOf(author);
    await as(alice, 'POST', `/api/v1/accounts/${authorId}/follow`, { notify: true });
    const follow = { type: 'Follow', actor: ALICE, object: author };
    await deliver(server, by('author'), sent('author', 'Accept', follow));
  });
  after(() => scene.close());

  const NOW = () => new Date().toISOString();
  /** A post that its server does not serve, only sends. */
  const unserved = (name: string, changes: Json = {}, of = peer): Json => ({
    id: `${of.origin}/sent/${(made += 1)}`,
    type: 'Note',
    attributedTo: `${of.origin}/users/${name}`,
    content: '<p>Rooks</p>',
    published: NOW(),
    to: [PUBLIC],
    cc: [],
    ...changes,
  });
  const send = (name: string, object: Json, of = peer): Promise<void> =>
    deliver(server, by(name, of), sent(name, 'Create', object, {}, of));
  const found = async (uri: string): Promise<string> => {
    const id = (await scene.resolve(uri))?.status;
    expect(id, uri).to.be.a('string');
    await carriedOut(server);
    return id ?? '';
  };
  const idOf = async (uri: unknown): Promise<string> => {
    const [row] = await server.app.db.query<{ id: string }>('select id from statuses where uri = $1', [uri]);
    expect(row, String(uri)).to.be.an('object');
    return row?.id ?? '0';
  };
  const seen = async (uri: unknown): Promise<Status> =>
    (await as(alice, 'GET', `/api/v1/statuses/${await idOf(uri)}`)) as Status;
  const contextOf = async (uri: unknown): Promise<{ above: string[]; below: string[] }> => {
    const context = (await as(alice, 'GET', `/api/v1/statuses/${await idOf(uri)}/context`)) as Context;
    return {
      above: context.ancestors.map((each) => each.uri),
      below: context.descendants.map((each) => each.uri),
    };
  };
  const home = async (): Promise<string[]> =>
    ((await as(alice, 'GET', '/api/v1/timelines/home?limit=40')) as Status[]).map(({ uri }) => uri);
  const told = async (): Promise<{ type: string; uri: string | undefined }[]> =>
    ((await as(alice, 'GET', '/api/v1/notifications')) as { type: string; status?: { uri: string } }[]).map(
      ({ type, status }) => ({ type, uri: status?.uri }),
    );

  it("are fetched up to the root from the posts' own servers when a post is found by its address", async () => {
    const root = far.note('dan', 'root');
    const first = peer.note('friend', 'first', { inReplyTo: root });
    const second = far.note('dan', 'second', { inReplyTo: first });
    const leaf = peer.note('author', 'leaf', { inReplyTo: second });
    await found(leaf);
    expect(await contextOf(leaf)).deep.equal({ above: [root, first, second], below: [] });
    expect(await contextOf(root)).deep.equal({ above: [], below: [first, second, leaf] });
    for (const uri of [root, first, second]) expect((await seen(uri)).replies_count, uri).equal(1);
    expect((await seen(leaf)).in_reply_to_account_id).equal((await seen(second)).account.id);
  });

  it('are fetched up to the root when a post of a followed account arrives', async () => {
    const root = far.note('dan', 'root2');
    const middle = far.note('dan', 'middle2', { inReplyTo: root });
    const reply = unserved('author', { inReplyTo: middle });
    await send('author', reply);
    expect(await contextOf(reply['id'])).deep.equal({ above: [root, middle], below: [] });
    expect(await home(), 'a reply to an account that alice does not follow').not.to.include(reply['id']);
  });

  it('are fetched up to the root when a post is boosted', async () => {
    const root = far.note('dan', 'root3');
    const middle = far.note('dan', 'middle3', { inReplyTo: root });
    const boosted = far.note('dan', 'boosted3', { inReplyTo: middle });
    await deliver(server, by('author'), sent('author', 'Announce', boosted, { to: [PUBLIC] }));
    expect((await contextOf(boosted)).above).deep.equal([root, middle]);
  });

  it('are joined when a parent arrives after its reply', async () => {
    const parent = unserved('author');
    const reply = unserved('author', { inReplyTo: parent['id'] });
    await send('author', reply);
    expect((await seen(reply['id'])).in_reply_to_id).equal(null);
    expect(await home(), 'a reply to an unknown post').not.to.include(reply['id']);
    expect(await told()).not.to.deep.include({ type: 'status', uri: reply['id'] });

    await send('author', parent);
    expect((await seen(reply['id'])).in_reply_to_id).equal(await idOf(parent['id']));
    expect(await contextOf(parent['id'])).deep.equal({ above: [], below: [reply['id']] });
    expect((await seen(parent['id'])).replies_count).equal(1);
    expect(await home()).to.include.members([parent['id'], reply['id']]);
    expect((await told()).filter(({ uri }) => uri === reply['id'])).deep.equal([
      { type: 'status', uri: reply['id'] },
    ]);
    const profile = `/api/v1/accounts/${authorId}/statuses?exclude_replies=true`;
    const posts = (await as(alice, 'GET', profile)) as Status[];
    expect(posts.map(({ uri }) => uri)).to.include.members([parent['id'], reply['id']]);

    await deliver(server, by('author'), sent('author', 'Delete', reply['id']));
    expect((await seen(parent['id'])).replies_count).equal(0);
  });

  it('appear in open home timelines when they are joined', async () => {
    const [parent, quiet] = [unserved('author'), unserved('friend')];
    const reply = unserved('author', { inReplyTo: parent['id'], tag: [{ type: 'Hashtag', name: '#rooks' }] });
    const stranger = unserved('author', { inReplyTo: quiet['id'] });
    const listener = await listen(server.url, alice.token, 'user');
    await listener.asked({ type: 'subscribe', stream: 'hashtag', tag: 'rooks' });
    for (const object of [reply, stranger, parent]) await send('author', object);
    const last = unserved('author');
    await send('author', last);
    const heard = await listener.until(({ payload }) => (payload as Status | undefined)?.uri === last['id']);
    const updates = heard.filter(({ event }) => event === 'update');
    expect(updates.map(({ stream, payload }) => [stream?.[0], (payload as Status).uri])).deep.equal([
      ['hashtag', reply['id']],
      ['user', parent['id']],
      ['user', reply['id']],
      ['user', last['id']],
    ]);
    listener.socket.close();
  });

  it('keep the parent of a reply through edits', async () => {
    const parent = unserved('author');
    const reply = unserved('author', { inReplyTo: parent['id'] });
    await send('author', reply);
    await send('author', parent);
    const edited = { ...reply, content: '<p>Edited</p>', updated: NOW() };
    await deliver(server, by('author'), sent('author', 'Update', edited));
    expect(await seen(reply['id'])).deep.include({
      content: '<p>Edited</p>',
      in_reply_to_id: await idOf(parent['id']),
    });
  });

  it('stay muted when a muted and an unmuted part are joined', async () => {
    const root = unserved('author');
    const middle = unserved('author', { inReplyTo: root['id'] });
    await send('author', middle);
    const below = unserved('author', { inReplyTo: middle['id'] });
    await send('author', below);
    await as(alice, 'POST', `/api/v1/statuses/${await idOf(below['id'])}/mute`);
    await send('author', root);
    for (const post of [root, middle, below]) expect((await seen(post['id'])).muted).equal(true);
    const mention = unserved('author', {
      inReplyTo: root['id'],
      tag: [{ type: 'Mention', href: ALICE, name: '@alice' }],
    });
    await send('author', mention);
    expect((await told()).map(({ uri }) => uri)).not.to.include(mention['id']);
    await as(alice, 'POST', `/api/v1/statuses/${await idOf(root['id'])}/unmute`);
    for (const post of [root, middle, below]) expect((await seen(post['id'])).muted).equal(false);
    expect((await told()).map(({ uri }) => uri)).to.include(mention['id']);
  });

  it('contain no cycles, even when posts reply to each other in a circle', async () => {
    const names = ['a', 'b', 'c'].map((name) => `${far.origin}/notes/circle-${name}`);
    far.note('dan', 'circle-a', { inReplyTo: names[1] });
    far.note('dan', 'circle-b', { inReplyTo: names[2] });
    far.note('dan', 'circle-c', { inReplyTo: names[0] });
    await found(names[0] ?? '');
    expect(await contextOf(names[0])).deep.equal({ above: [names[1]], below: [names[2]] });
    const self = far.note('dan', 'self', { inReplyTo: `${far.origin}/notes/self` });
    await found(self);
    expect(await contextOf(self)).deep.equal({ above: [], below: [] });
  });

  it('are fetched up to a hundred posts, and further when a user opens them', async () => {
    for (let depth = 0; depth < 140; depth += 1) {
      far.note('dan', `deep-${depth}`, { inReplyTo: `${far.origin}/notes/deep-${depth + 1}` });
    }
    far.note('dan', 'deep-140');
    const uri = `${far.origin}/notes/deep-0`;
    await found(uri);
    expect((await contextOf(uri)).above).to.have.length(100);
    // Opening the thread fetches the rest.
    await eventually(async () => expect((await contextOf(uri)).above).to.have.length(140));
    await carriedOut(server);
  });

  it('cause at most ten requests to a third server, and are fetched further when a user opens them', async () => {
    for (const name of ['erin', 'fay']) far.actor(name);
    for (let depth = 0; depth < 40; depth += 1) {
      far.note(depth % 2 ? 'erin' : 'fay', `chain-${depth}`, {
        inReplyTo: `${far.origin}/notes/chain-${depth + 1}`,
        tag: Array.from({ length: 20 }, (_, index) => ({
          type: 'Mention',
          name: 'x',
          href: `${far.origin}/users/none-${depth}-${index}`,
        })),
      });
    }
    far.note('dan', 'chain-40');
    const from = far.asked.length;
    // A younger post is not asked for replies.
    const published = new Date(Date.now() - 600_000).toISOString();
    const reply = unserved('author', { inReplyTo: `${far.origin}/notes/chain-0`, published });
    await send('author', reply);
    await carriedOut(server);
    expect(far.asked.slice(from)).to.have.length.within(5, 10);
    await eventually(async () => expect((await contextOf(reply['id'])).above).to.have.length(41));
    await carriedOut(server);
  });

  it('do not notify users of posts written long ago', async () => {
    const mention = { tag: [{ type: 'Mention', href: ALICE, name: '@alice' }] };
    const old = far.note('dan', 'old', mention);
    const young = far.note('dan', 'young', { ...mention, published: NOW(), inReplyTo: old });
    const reply = unserved('author', { inReplyTo: young });
    await send('author', reply);
    expect((await contextOf(reply['id'])).above).deep.equal([old, young]);
    const uris = (await told()).filter(({ type }) => type === 'mention').map(({ uri }) => uri);
    expect(uris).to.include(young);
    expect(uris).not.to.include(old);
  });

  it('are not joined to posts that the author of the reply may not see', async () => {
    const mine = (await as(alice, 'POST', '/api/v1/statuses', {
      status: 'Quiet',
      visibility: 'private',
    })) as Status;
    const reply = unserved('author', { inReplyTo: mine.uri });
    await send('author', reply);
    expect((await seen(reply['id'])).in_reply_to_id).equal(null);
    expect((await seen(mine.uri)).replies_count).equal(0);
  });
});

import { once } from 'node:events';
import { expect } from 'chai';
import { askProjectorsToRetry } from '#storage/postgres/projector/projector.ts';
import { eventually } from '../support/eventually.ts';
import { describeTown, type Person } from '../support/people.ts';
import { follow, list, post, reblog, remotePost, upload } from '../timelines/support.ts';
import { type Heard, listen, type Listener } from './support.ts';

describeTown('The channels of streams', function (town) {
  this.timeout(60_000);
  let alice: Person;
  let bob: Person;
  let blocked: Person;
  let listener: Listener;

  before(async () => {
    alice = await town.person('alice');
    bob = await town.person('bob');
    blocked = await town.person('blocked');
    await bob.post(`/api/v1/accounts/${blocked.id}/block`);
    await follow(bob, alice);
    await town.waitUntilIdle();
  });
  beforeEach(async () => {
    listener = await listen(town.url, bob.token);
  });
  afterEach(() => listener.socket.close());

  const subscribe = (stream: string, parameters: Record<string, unknown> = {}): Promise<void> =>
    listener.asked({ type: 'subscribe', stream, ...parameters });

  /** The ids that the listener receives, until a last post that only `user` receives. */
  const heard = async (): Promise<{ stream: string; id: string }[]> => {
    await subscribe('user');
    const marker = await post(bob, 'the end', { visibility: 'private' });
    const messages = await listener.until(
      ({ payload }) => (payload as { id?: string } | undefined)?.id === marker,
    );
    return messages
      .filter(({ event, stream }) => event === 'update' && stream?.[0] !== 'user')
      .map(({ stream = [], payload }) => ({ stream: stream.join(' '), id: (payload as { id: string }).id }));
  };
  const idsOf = (found: readonly { stream: string; id: string }[], stream: string): string[] =>
    found.filter((each) => each.stream === stream).map(({ id }) => id);

  it('send local posts, remote posts, and posts with media', async () => {
    const kinds = ['public', 'public:local', 'public:remote'];
    for (const name of kinds.flatMap((kind) => [kind, `${kind}:media`])) await subscribe(name);
    const here = await post(alice, 'here');
    const picture = await post(alice, 'a picture', { media_ids: [await upload(alice)] });
    const far = await remotePost(town, alice.id, {});
    await post(alice, 'unlisted', { visibility: 'unlisted' });
    await post(alice, 'an answer', { in_reply_to_id: await post(blocked, 'by somebody blocked') });
    await reblog(alice, here);
    const found = await heard();
    expect(idsOf(found, 'public')).to.deep.equal([here, picture, far]);
    expect(idsOf(found, 'public:media')).to.deep.equal([picture]);
    expect(idsOf(found, 'public:local')).to.deep.equal([here, picture]);
    expect(idsOf(found, 'public:local:media')).to.deep.equal([picture]);
    expect(idsOf(found, 'public:remote')).to.deep.equal([far]);
    expect(idsOf(found, 'public:remote:media')).to.deep.equal([]);
  });

  it('send edits and deletions to public subscribers', async () => {
    await subscribe('public:local');
    const id = await post(alice, 'first');
    expect(await listener.next()).to.include({ event: 'update' });
    await alice.put(`/api/v1/statuses/${id}`, { status: 'second' });
    expect(await listener.next()).to.include({ event: 'status.update' });
    await alice.delete(`/api/v1/statuses/${id}`);
    expect(await listener.next()).to.deep.equal({ stream: ['public:local'], event: 'delete', payload: id });
  });

  it('send posts with a hashtag, and with additional ones', async () => {
    await subscribe('hashtag', { tag: 'Chess' });
    await subscribe('hashtag', { tag: 'go', any: ['shogi'], all: ['news'], none: ['spam'] });
    await subscribe('hashtag:local', { tag: 'chess' });
    const chess = await post(alice, '#CHESS');
    const far = await remotePost(town, alice.id, { tags: [{ name: 'chess', normal: 'chess' }] });
    const go = await post(alice, '#go #news');
    const shogi = await post(alice, '#shogi #news');
    await post(alice, '#go alone');
    await post(alice, '#go #news #spam');
    await post(alice, '#chess', { visibility: 'unlisted' });
    await post(blocked, '#chess');
    const found = await heard();
    expect(idsOf(found, 'hashtag Chess')).to.deep.equal([chess, far]);
    expect(idsOf(found, 'hashtag:local chess')).to.deep.equal([chess]);
    expect(idsOf(found, 'hashtag go')).to.deep.equal([go, shogi]);
  });

  it('send the posts of a list, by its policy for replies', async () => {
    const id = await list(bob, { replies_policy: 'none' }, [alice]);
    const other = await town.person('other');
    await subscribe('list', { list: id });
    const mine = await post(alice, 'from alice', { visibility: 'private' });
    expect(await listener.next()).to.include({ event: 'update' });
    await alice.delete(`/api/v1/statuses/${mine}`);
    expect((await listener.next()).payload).to.equal(mine);
    const next = await post(alice, 'from alice again');
    await post(other, 'from nobody in it');
    await post(alice, 'an answer', { in_reply_to_id: await post(other, 'a question') });
    expect(idsOf(await heard(), `list ${id}`)).to.deep.equal([next]);
  });

  it('send conversations as their list shows them', async () => {
    await subscribe('direct');
    await post(alice, 'to all');
    await post(alice, '@bob in private', { visibility: 'direct' });
    const message = await listener.next();
    expect(message).to.include({ event: 'conversation' });
    expect(message.stream).to.deep.equal(['direct']);
    const { json } = await bob.get<{ id: string }[]>('/api/v1/conversations');
    expect(message.payload).to.deep.equal(json[0]);
    const read = await bob.post<{ unread: boolean }>(`/api/v1/conversations/${json[0]?.id}/read`);
    expect(read.json.unread).to.equal(false);
    // Another device of the reader receives the update.
    const update = await listener.next();
    expect(update).to.include({ event: 'conversation' });
    expect(update.payload).to.deep.equal(read.json);
    const unread = await bob.post(`/api/v1/conversations/${json[0]?.id}/unread`);
    expect(unread.json).to.deep.equal({ ...read.json, unread: true });
    expect((await listener.next()).payload).to.deep.equal(unread.json);
  });

  it('send the conversations with a stranger when the user accepts them', async () => {
    await subscribe('direct');
    const stranger = await town.person('stranger');
    const id = await post(stranger, '@bob in private', { visibility: 'direct' });
    await town.waitUntilIdle();
    const { json } = await bob.get<{ id: string }[]>('/api/v1/notifications/requests');
    await bob.post(`/api/v1/notifications/requests/${json[0]?.id}/accept`);
    const message = await listener.next();
    expect(message).to.include({ event: 'conversation' });
    expect(message.payload).to.have.nested.property('last_status.id', id);
    expect(message.payload).to.include({ unread: true });
  });

  it('can be unsubscribed, and subscribed again', async () => {
    await subscribe('public');
    await subscribe('hashtag', { tag: 'one' });
    await listener.asked({ type: 'unsubscribe', stream: 'public' });
    await listener.asked({ type: 'unsubscribe', stream: 'hashtag', tag: 'two' });
    const first = await post(alice, '#one');
    const { stream, payload } = await listener.next();
    expect([stream, payload.id]).to.deep.equal([['hashtag', 'one'], first]);
    await subscribe('public');
    await subscribe('public');
    await listener.asked({ type: 'unsubscribe', stream: 'hashtag', tag: 'one' });
    const second = await post(alice, '#one again');
    expect(await heard()).to.deep.equal([{ stream: 'public', id: second }]);
  });

  it('reply with an error to impossible requests, and ignore other messages', async () => {
    const refused = async (message: unknown): Promise<Heard> => {
      listener.send(message);
      return listener.answers.next();
    };
    const ask = (stream: unknown, more = {}) => refused({ type: 'subscribe', stream, ...more });
    for (const stream of ['nothing', undefined, 7, '__proto__', 'constructor', {}]) {
      expect(await ask(stream)).to.deep.equal({ error: 'Unknown stream type', status: 400 });
    }
    expect(await refused({ type: 'unsubscribe', stream: 'nothing' })).to.deep.equal({
      error: 'Error unsubscribing from channel',
    });
    for (const more of [{}, { tag: '' }, { tag: '#' }]) {
      expect(await ask('hashtag', more)).to.deep.equal({ error: 'Missing tag name parameter', status: 400 });
    }
    expect(await ask('hashtag', { tag: { a: 1 } })).to.include({ status: 422 });
    expect(await ask('list')).to.deep.equal({ error: 'Missing list name parameter', status: 400 });
    const foreign = await list(alice, {}, []);
    for (const wrong of [foreign, '1', 'x', '99999999999999999999']) {
      expect(await ask('list', { list: wrong })).to.deep.equal({
        error: 'Not authorized to stream this list',
        status: 401,
      });
    }
    for (const noRequest of ['{', '', 'null', '7', '"text"', '[]', { type: 'other' }, {}]) {
      await listener.asked(noRequest);
    }
    await subscribe('user');
    const id = await post(bob, 'still here');
    expect((await listener.next()).payload).to.include({ id });
  });

  it('close on binary or too long messages', async () => {
    const reason = once(listener.socket, 'close').then(([, text]) => String(text));
    listener.socket.send(Buffer.from([1, 2, 3]));
    expect(await listener.closed).to.equal(1003);
    expect(await reason).to.equal('Send text, not binary data');
    const other = await listen(town.url, bob.token);
    other.socket.send('x'.repeat(20_000));
    expect(await other.closed).to.equal(1009);
  });

  it('are limited to a hundred on one connection', async () => {
    for (let n = 0; n < 100; n += 1) await subscribe('hashtag', { tag: `tag${n}` });
    listener.send({ type: 'subscribe', stream: 'public' });
    expect(await listener.answers.next()).to.deep.equal({
      error: 'Too many channels on one connection',
      status: 429,
    });
    await subscribe('hashtag', { tag: 'tag5', any: ['other'] });
  });

  it('go on while the read model of lists is halted, with the lists of that time', async () => {
    const id = await list(bob, {}, [alice]);
    await town.waitUntilIdle();
    await subscribe('list', { list: id });
    const { projectionDb, contextDependencies } = town.app;
    const halted = (): readonly string[] => contextDependencies.services.readModels.halted();
    await projectionDb.query('alter table lists add constraint refused check (false) not valid');
    await alice.post('/api/v1/lists', { title: 'One more' });
    await eventually(() => expect(halted()).to.deep.equal(['lists']));
    await subscribe('public');
    const here = await post(alice, 'meanwhile');
    const found = await heard();
    expect(idsOf(found, 'public')).to.deep.equal([here]);
    expect(idsOf(found, `list ${id}`)).to.deep.equal([here]);
    await projectionDb.query('alter table lists drop constraint refused');
    await askProjectorsToRetry(projectionDb);
    await eventually(() => expect(halted()).to.deep.equal([]));
  });
});

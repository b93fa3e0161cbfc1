import { expect } from 'chai';
import { importEmoji } from '../../commands/custom-emojis/index.ts';
import {
  activity,
  actorWithInbox,
  blockDomain,
  deliver,
  expectIgnored,
  FEDERATING,
  HERE,
  PUBLIC,
  type Json,
} from '../support/inbox.ts';
import { eventually } from '../support/eventually.ts';
import { startPeer, type Peer } from '../support/peer.ts';
import { still } from '../support/pictures.ts';
import { shownAt } from '../support/remote-media.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { delivered } from './remote-server.ts';

const LOCAL = `${HERE}/users/alice`;

describe('Custom emojis of other servers', function () {
  this.timeout(60_000);
  let server: TestServer;
  let peer: Peer;
  let alice: TestUser;
  let author: string;
  let authorId: string;
  const arrivals: Json[] = [];

  before(async function () {
    this.timeout(120_000);
    [server, peer] = await Promise.all([startTestServer(FEDERATING), startPeer()]);
    alice = await server.user('alice');
    author = actorWithInbox(peer, 'author', arrivals);
    authorId = (await resolve(author))?.account ?? '';
    await as('POST', `/api/v1/accounts/${authorId}/follow`);
    const follow = { type: 'Follow', actor: LOCAL, object: author };
    await deliver(server, by, activity(peer, 'author', 'Accept', follow));
  });
  after(() => Promise.all([server.close(), peer.close()]));

  const resolve = (uri: string) => server.app.contextDependencies.services.resolver.resolve(uri);
  const by = {
    get peer() {
      return peer;
    },
    name: 'author',
  };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const as = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await server.call(method, path, { token: alice.token, ...(body ? { body } : {}) });
    expect(answer.status, `${method} ${path}`).equal(200);
    return answer.body;
  };
  const emoji = (name: string, url: unknown = `${peer.origin}/${name}.png`): Json => ({
    ...{ id: `${peer.origin}/emojis/${name}`, type: 'Emoji', name: `:${name}:` },
    icon: { type: 'Image', mediaType: 'image/png', url },
  });
  const entity = (shortcode: string, url = `${peer.origin}/${shortcode}.png`): Json => ({
    shortcode,
    url: shownAt(HERE, 'emojis', url),
    static_url: shownAt(HERE, 'emojis', url, 'static'),
    visible_in_picker: true,
  });
  const note = (id: string, changes: Json): Json => ({
    ...{ id: `${peer.origin}/notes/${id}`, type: 'Note', attributedTo: author, to: [PUBLIC] },
    ...{ content: '<p>:rook: and :crow:</p>', published: `2026-11-20T08:0${id}:00Z`, ...changes },
  });
  const sent = (type: string, object: Json) => activity(peer, 'author', type, object);
  const newest = async () => (await as('GET', `/api/v1/accounts/${authorId}/statuses?limit=1`))[0];

  it('are those that a post means, as it brings them', async () => {
    const tag = [
      ...[emoji('rook'), emoji('crow'), emoji('jay'), emoji('rook', `${peer.origin}/second.png`)],
      ...[
        emoji('no', 'javascript:alert(1)'),
        { type: 'Emoji', name: ':none:' },
        7,
        { type: 'Emoji', name: 8 },
      ],
    ];
    const object = note('1', { tag, summary: ':no: :none: :jay:' });
    await deliver(server, by, sent('Create', object));
    const { id, emojis } = await newest();
    expect(emojis).deep.equal([entity('rook'), entity('crow'), entity('jay')]);
    await expectIgnored(server, by, sent('Update', object), 'nothing new');
    const edited = { ...object, content: '<p>:jay:</p>', summary: null, updated: '2026-11-20T09:00:00Z' };
    await deliver(server, by, sent('Update', edited));
    expect((await newest()).emojis).deep.equal([entity('jay')]);
    const history = await as('GET', `/api/v1/statuses/${id}/history`);
    expect(history.map((one: { emojis: Json[] }) => one.emojis.length)).deep.equal([3, 1]);
    await deliver(server, by, sent('Update', { ...edited, tag: [], updated: '2026-11-20T10:00:00Z' }));
    expect((await newest()).emojis).deep.equal([]);
  });

  it('are a hundred at most', async () => {
    const names = Array.from({ length: 150 }, (_, n) => `e${n}x`);
    const content = names.map((name) => `:${name}:`).join(' ');
    await deliver(server, by, sent('Create', note('2', { content, tag: names.map((name) => emoji(name)) })));
    expect((await newest()).emojis).deep.equal(names.slice(0, 100).map((name) => entity(name)));
  });

  it('stand in the options of polls', async () => {
    const oneOf = [':crow:', 'None'].map((name) => ({ type: 'Note', name, replies: { totalItems: 0 } }));
    const object = note('3', { type: 'Question', oneOf, tag: [emoji('rook'), emoji('crow')] });
    await deliver(server, by, sent('Create', object));
    const { poll, emojis } = await newest();
    expect(emojis).deep.equal([entity('rook'), entity('crow')]);
    expect(poll.emojis).deep.equal([entity('crow')]);
    expect((await as('GET', `/api/v1/polls/${poll.id}`)).emojis).deep.equal([entity('crow')]);
  });

  it('are those of profiles, and go with them', async () => {
    const actor = {
      ...{ id: author, type: 'Person', preferredUsername: 'author', inbox: `${author}/inbox` },
      ...{ name: 'The :rook:', summary: '<p>:crow: :other:</p>', followers: `${author}/followers` },
      attachment: [{ type: 'PropertyValue', name: ':jay:', value: 'x' }],
      tag: ['rook', 'crow', 'jay', 'unused'].map((name) => emoji(name)),
    };
    await deliver(server, by, sent('Update', actor));
    const shown = async () => (await as('GET', `/api/v1/accounts/${authorId}`)).emojis;
    expect(await shown()).deep.equal([entity('rook'), entity('crow'), entity('jay')]);
    await expectIgnored(server, by, sent('Update', actor), 'nothing new');
    await deliver(server, by, sent('Update', { ...actor, tag: [emoji('rook')] }));
    expect(await shown()).deep.equal([entity('rook')]);
  });

  it('of ours go out with posts and profiles, and have an address', async () => {
    const picture = { shortcode: 'rook', data: await still('teal'), category: null, visible_in_picker: true };
    await importEmoji(server.app.systemContext('spec'), picture, { overwrite: false });
    await eventually(() => expect(server.app.instance.emojis.json('rook')).not.equal(undefined));
    await deliver(server, by, activity(peer, 'author', 'Follow', LOCAL));
    await delivered(server);
    arrivals.splice(0);
    await as('POST', '/api/v1/statuses', { status: 'Look, :rook:' });
    await as('PATCH', '/api/v1/accounts/update_credentials', { display_name: 'Alice :rook:' });
    await delivered(server);
    const tags = arrivals.map(({ object }) => (object as { tag: Json[] }).tag);
    expect(tags).to.have.length(2);
    const [first, second] = tags.map(([one]) => one);
    expect(first).deep.equal(second);
    expect(first).deep.include({ id: `${HERE}/emojis/rook`, type: 'Emoji', name: ':rook:' });
    const ask = (path: string) =>
      server.call('GET', path, { headers: { Accept: 'application/activity+json' } });
    const { status, body } = await ask('/emojis/rook');
    expect(status).equal(200);
    const document = (typeof body === 'string' ? JSON.parse(body) : body) as Json;
    expect(document).deep.include(first);
    expect((await ask('/emojis/crow')).status).equal(404);
  });

  it('are not shown where staff rejects media of their server', async () => {
    await deliver(server, by, sent('Create', note('9', { tag: [emoji('rook')] })));
    expect((await newest()).emojis).deep.equal([entity('rook')]);
    await blockDomain(server, { domain: peer.host, severity: 'noop', reject_media: true });
    const status = await newest();
    expect(status.emojis).deep.equal([]);
    expect(status.account.emojis).deep.equal([]);
    const polls = await as('GET', `/api/v1/accounts/${authorId}/statuses`);
    const poll = polls.map((one: { poll: Json | null }) => one.poll).find(Boolean);
    expect(poll.emojis).deep.equal([]);
    expect((await as('GET', `/api/v1/polls/${String(poll.id)}`)).emojis).deep.equal([]);
  });
});

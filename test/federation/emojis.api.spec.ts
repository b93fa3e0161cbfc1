import { expect } from 'chai';
import { importEmoji } from '#commands/custom-emojis/index.ts';
import { eventually } from '../support/eventually.ts';
import { blockDomain, deliver, expectIgnored, HERE, type Json } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import { still } from '../support/pictures.ts';
import { shownAt } from '../support/remote-media.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

describe('Custom emojis of other servers', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  let server: TestServer;
  let peer: Peer;
  let alice: TestUser;
  let author: string;
  let authorId: string;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, alice } = await scene.start());
    author = scene.actor('author');
    authorId = await scene.follow(alice, 'author');
  });
  after(() => scene.close());

  const take = (type: string, object: unknown) =>
    deliver(server, scene.by('author'), scene.sent('author', type, object));
  const ignore = (type: string, object: unknown, why: string) =>
    expectIgnored(server, scene.by('author'), scene.sent('author', type, object), why);
  const as = (method: string, path: string, body?: object) => scene.as(alice, method, path, body);
  const emoji = (name: string, url: unknown = `${peer.origin}/${name}.png`): Json => ({
    id: `${peer.origin}/emojis/${name}`,
    type: 'Emoji',
    name: `:${name}:`,
    icon: { type: 'Image', mediaType: 'image/png', url },
  });
  const entity = (shortcode: string, url = `${peer.origin}/${shortcode}.png`): Json => ({
    shortcode,
    url: shownAt(HERE, 'emojis', url),
    static_url: shownAt(HERE, 'emojis', url, 'static'),
    visible_in_picker: true,
  });
  /** `minute` is the minute of publication. */
  const note = (minute: string, changes: Json) =>
    scene.note('author', {
      content: '<p>:rook: and :crow:</p>',
      published: `2026-11-20T08:0${minute}:00Z`,
      ...changes,
    });
  const newest = async () => (await as('GET', `/api/v1/accounts/${authorId}/statuses?limit=1`))[0];

  it('are those used in the text of a post, as its tags describe them', async () => {
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
    await take('Create', object);
    const { id, emojis } = await newest();
    expect(emojis).deep.equal([entity('rook'), entity('crow'), entity('jay')]);
    await ignore('Update', object, 'nothing new');
    const edited = { ...object, content: '<p>:jay:</p>', summary: null, updated: '2026-11-20T09:00:00Z' };
    await take('Update', edited);
    expect((await newest()).emojis).deep.equal([entity('jay')]);
    const history = await as('GET', `/api/v1/statuses/${id}/history`);
    expect(history.map((one: { emojis: Json[] }) => one.emojis.length)).deep.equal([3, 1]);
    await take('Update', { ...edited, tag: [], updated: '2026-11-20T10:00:00Z' });
    expect((await newest()).emojis).deep.equal([]);
  });

  it('are limited to a hundred per post', async () => {
    const names = Array.from({ length: 150 }, (_, n) => `e${n}x`);
    const content = names.map((name) => `:${name}:`).join(' ');
    await take('Create', note('2', { content, tag: names.map((name) => emoji(name)) }));
    expect((await newest()).emojis).deep.equal(names.slice(0, 100).map((name) => entity(name)));
  });

  it('are shown in the options of polls', async () => {
    const oneOf = [':crow:', 'None'].map((name) => ({ type: 'Note', name, replies: { totalItems: 0 } }));
    const object = note('3', { type: 'Question', oneOf, tag: [emoji('rook'), emoji('crow')] });
    await take('Create', object);
    const { poll, emojis } = await newest();
    expect(emojis).deep.equal([entity('rook'), entity('crow')]);
    expect(poll.emojis).deep.equal([entity('crow')]);
    expect((await as('GET', `/api/v1/polls/${poll.id}`)).emojis).deep.equal([entity('crow')]);
  });

  it('are shown in profiles until an Update leaves them out', async () => {
    const actor = {
      id: author,
      type: 'Person',
      preferredUsername: 'author',
      inbox: `${author}/inbox`,
      name: 'The :rook:',
      summary: '<p>:crow: :other:</p>',
      followers: `${author}/followers`,
      attachment: [{ type: 'PropertyValue', name: ':jay:', value: 'x' }],
      tag: ['rook', 'crow', 'jay', 'unused'].map((name) => emoji(name)),
    };
    await take('Update', actor);
    const shown = async () => (await as('GET', `/api/v1/accounts/${authorId}`)).emojis;
    expect(await shown()).deep.equal([entity('rook'), entity('crow'), entity('jay')]);
    await ignore('Update', actor, 'nothing new');
    await take('Update', { ...actor, tag: [emoji('rook')] });
    expect(await shown()).deep.equal([entity('rook')]);
  });

  it('know the local ones from the tags of posts and profiles and from their own documents', async () => {
    const picture = { shortcode: 'rook', data: await still('teal'), category: null, visible_in_picker: true };
    await importEmoji(server.app.systemContext('spec'), picture, { overwrite: false });
    await eventually(() => expect(server.app.instance.emojis.json('rook')).not.equal(undefined));
    await take('Follow', ALICE);
    await scene.news();
    await as('POST', '/api/v1/statuses', { status: 'Look, :rook:' });
    await as('PATCH', '/api/v1/accounts/update_credentials', { display_name: 'Alice :rook:' });
    const { peer: arrivals } = await scene.news();
    const tags = arrivals.map(({ object }) => (object as { tag: Json[] }).tag);
    expect(tags).to.have.length(2);
    const [first, second] = tags.map(([one]) => one);
    expect(first).deep.equal(second);
    expect(first).deep.include({ id: `${HERE}/emojis/rook`, type: 'Emoji', name: ':rook:' });
    const { status, body } = await scene.fetched(`${HERE}/emojis/rook`);
    expect(status).equal(200);
    expect(body).deep.include(first);
    expect((await scene.fetched(`${HERE}/emojis/crow`)).status).equal(404);
  });

  it('are hidden when staff rejects the media of their server', async () => {
    await take('Create', note('9', { tag: [emoji('rook')] }));
    expect((await newest()).emojis).deep.equal([entity('rook')]);
    await blockDomain(server, { domain: '127.0.0.1', severity: 'noop', reject_media: true });
    const status = await newest();
    expect(status.emojis).deep.equal([]);
    expect(status.account.emojis).deep.equal([]);
    const polls = await as('GET', `/api/v1/accounts/${authorId}/statuses`);
    const poll = polls.map((one: { poll: Json | null }) => one.poll).find(Boolean);
    expect(poll.emojis).deep.equal([]);
    expect((await as('GET', `/api/v1/polls/${String(poll.id)}`)).emojis).deep.equal([]);
  });
});

import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { carriedOut, deliver, expectIgnored, HERE, type Json, PUBLIC, send } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import { addressesOf } from '../support/remote-media.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

describe('Posts in the inbox', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { accountOf, as, by, sent } = scene;
  let server: TestServer;
  let peer: Peer;
  let evil: Peer;
  let alice: TestUser;
  let bob: TestUser;
  /** The actor that alice follows. */
  let author: string;
  let authorId: string;
  let made = 0;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, evil, alice, bob } = await scene.start());
    author = peer.actor('author');
    peer.actor('stranger');
    evil.actor('eve');
    authorId = await accountOf(author);
    await as(alice, 'POST', `/api/v1/accounts/${authorId}/follow`);
    await deliver(
      server,
      by('author'),
      sent('author', 'Accept', { type: 'Follow', actor: ALICE, object: author }),
    );
  });
  after(() => scene.close());

  const note = (name: string, changes: Json = {}, of = peer): Json => ({
    id: `${of.origin}/notes/${(made += 1)}`,
    type: 'Note',
    attributedTo: `${of.origin}/users/${name}`,
    content: '<p>Rooks</p>',
    published: '2026-11-20T08:00:00Z',
    to: [PUBLIC],
    cc: [],
    ...changes,
  });
  const create = (name: string, object: unknown, of = peer) => sent(name, 'Create', object, {}, of);
  const idOf = async (uri: unknown): Promise<string> => {
    const { db } = server.app;
    const [row] = await db.query<{ id: string }>('select id from statuses where uri = $1 and not deleted', [
      uri,
    ]);
    return row?.id ?? '0';
  };
  /** A post as a user sees it. */
  const seen = async (user: TestUser, object: Json) =>
    as(user, 'GET', `/api/v1/statuses/${await idOf(object['id'])}`);
  const statusFor = async (user: TestUser, object: Json): Promise<number> =>
    (await server.call('GET', `/api/v1/statuses/${await idOf(object['id'])}`, { token: user.token })).status;
  const told = async (user: TestUser): Promise<{ type: string; status: { uri: string } }[]> =>
    as(user, 'GET', '/api/v1/notifications');
  const toAlice = { tag: [{ type: 'Mention', href: ALICE, name: '@alice' }], cc: [ALICE] };
  const posted = async (user: TestUser, body: object): Promise<Json> =>
    as(user, 'POST', '/api/v1/statuses', body);

  describe('that are accepted', () => {
    it('come from accounts that a local user follows, and appear in the home timeline', async () => {
      const object = note('author', {
        content: '<p onclick="x">Hi <script>x</script>#Rooks</p>',
        summary: 'Birds &#0;\u0000',
        contentMap: { de: 'x' },
        tag: [{ type: 'Hashtag', name: '#Rooks' }],
        attachment: [
          { type: 'Document', mediaType: 'image/png', url: `${peer.origin}/a.png`, name: 'A \u0000rook' },
        ],
      });
      const sent = create('author', object);
      await deliver(server, by('author'), sent);
      const [first] = await as(alice, 'GET', '/api/v1/timelines/home');
      expect(first).deep.include({
        uri: object['id'],
        visibility: 'public',
        spoiler_text: 'Birds &#0;',
        sensitive: true,
        language: 'de',
        content: '<p>Hi #Rooks</p>',
        created_at: '2026-11-20T08:00:00.000Z',
      });
      expect(first.account.id).equal(authorId);
      expect(first.tags.map((one: Json) => one['name'])).deep.equal(['rooks']);
      const addresses = addressesOf(HERE, `${peer.origin}/a.png`);
      expect(first.media_attachments[0]).deep.include({ ...addresses, description: 'A rook' });
      await expectIgnored(server, by('author'), sent, 'the same again');
      await expectIgnored(server, by('author'), create('author', object), 'the same post again');
    });

    it('are any kind of object, also when the activity holds only their id', async () => {
      for (const type of ['Article', 'Page', 'Image', 'Audio', 'Video', 'Event']) {
        const object = note('author', { type, name: `A ${type}` });
        await deliver(server, by('author'), create('author', object));
        expect((await seen(bob, object)).content, type).contain(`A ${type}`);
      }
      const uri = peer.note('author', 'named');
      await deliver(server, by('author'), create('author', uri));
      expect(await idOf(uri)).not.equal('0');
    });

    it('come from strangers who mention a local user, who is notified', async () => {
      const object = note('stranger', toAlice);
      await deliver(server, by('stranger'), create('stranger', object));
      const { mentions } = await seen(bob, object);
      expect(mentions.map((one: Json) => one['acct'])).deep.equal(['alice']);
      expect((await told(alice))[0]).deep.include({ type: 'mention' });
      expect((await told(alice))[0]?.status.uri).equal(object['id']);
    });

    it('come from strangers who reply to a local user', async () => {
      const mine = await posted(alice, { status: 'Ask me' });
      const object = note('stranger', { inReplyTo: mine['uri'] });
      await deliver(server, by('stranger'), create('stranger', object));
      expect(await seen(bob, object)).deep.include({
        in_reply_to_id: mine['id'],
        in_reply_to_account_id: alice.id,
      });
      const { descendants } = await as(bob, 'GET', `/api/v1/statuses/${String(mine['id'])}/context`);
      expect(descendants.map((one: Json) => one['uri'])).deep.equal([object['id']]);
    });

    it('arrive together with an unknown post that they reply to', async () => {
      const parent = evil.note('eve', 'parent');
      const object = note('author', { inReplyTo: parent });
      await deliver(server, by('author'), create('author', object));
      expect((await seen(alice, object)).in_reply_to_id).equal(await idOf(parent));
      const lost = note('author', { inReplyTo: `${evil.origin}/notes/lost` });
      await deliver(server, by('author'), create('author', lost));
      expect((await seen(alice, lost)).in_reply_to_id).equal(null);
    });

    it('come from strangers who mention or address a local user by the URL of the profile', async () => {
      const page = `${HERE}/@alice`;
      const mentioning = note('stranger', { tag: [{ type: 'Mention', href: page, name: '@alice' }] });
      await deliver(server, by('stranger'), create('stranger', mentioning));
      expect((await seen(bob, mentioning)).mentions.map((one: Json) => one['acct'])).deep.equal(['alice']);
      expect((await told(alice)).map(({ status }) => status.uri)).contain(mentioning['id']);
      await as(alice, 'PATCH', '/api/v2/notifications/policy', { for_private_mentions: 'accept' });
      const direct = note('stranger', { to: [page], tag: [] });
      await deliver(server, by('stranger'), create('stranger', direct));
      expect((await seen(alice, direct)).visibility).equal('direct');
      expect((await as(alice, 'GET', '/api/v1/conversations'))[0].last_status.uri).equal(direct['id']);
    });

    it('arrive together with unknown accounts that they mention', async () => {
      const url = `${evil.origin}/@hana`;
      const hana = evil.actor('hana', { url });
      const kept = evil.actor('kei');
      evil.actor('blocked');
      const tags = [hana, kept, `${evil.origin}/users/nobody`, evil.note('hana', 'no-account')];
      const tag = tags.map((href) => ({ type: 'Mention', href, name: '@x' }));
      const object = note('author', { tag });
      await deliver(server, by('author'), create('author', object));
      const named = (of: Json): string[] => (of['mentions'] as Json[]).map(({ acct }) => String(acct));
      expect(named(await seen(alice, object))).have.members([`hana@${evil.host}`, `kei@${evil.host}`]);
      expect(await idOf(tags[3])).equal('0');
      const byPage = note('author', { tag: [{ type: 'Mention', href: url }] });
      await deliver(server, by('author'), create('author', byPage));
      expect(named(await seen(alice, byPage))).deep.equal([`hana@${evil.host}`]);
    });

    it('are fetched by their id, in the name of a local account that may see them', async () => {
      const secrets = (reader: string, id: string, changes: Json): string => {
        const object = note('author', { id: `${peer.origin}/notes/${id}`, ...changes });
        return peer.put(`/notes/${id}`, (req, res) => {
          if (!String(req.headers.signature).includes(`keyId="${reader}#main-key"`)) res.status(404).end();
          else res.type('application/activity+json').send(JSON.stringify(object));
        });
      };
      const few = secrets(ALICE, 'few', { to: [`${author}/followers`] });
      await deliver(server, by('author'), sent('author', 'Create', few, { to: [`${author}/followers`] }));
      expect((await seen(alice, { id: few })).visibility).equal('private');
      const toBob = [`${HERE}/users/bob`];
      const direct = secrets(`${HERE}/users/bob`, 'direct', { to: toBob, published: '2026-11-19T08:00:00Z' });
      await deliver(server, by('author'), sent('author', 'Create', direct, { to: toBob }));
      expect((await seen(bob, { id: direct })).visibility).equal('direct');
      const open = secrets(`${HERE}/actor`, 'open', {});
      await deliver(server, by('author'), sent('author', 'Create', open, { to: [PUBLIC], cc: [ALICE] }));
      expect((await seen(bob, { id: open })).visibility).equal('public');
    });

    it('are shown only to the accounts that they address', async () => {
      const quiet = note('author', { to: [`${author}/followers`], cc: PUBLIC });
      const few = note('author', { to: `${author}/followers` });
      const private_ = note('author', { to: [ALICE], tag: toAlice.tag });
      const untagged = note('author', { to: [`${HERE}/users/bob`, { id: `${peer.origin}/users/stranger` }] });
      // Another account's followers collection addresses no local account.
      const odd = note('author', { to: [`${peer.origin}/users/stranger/followers`], ...toAlice });
      await as(bob, 'PATCH', '/api/v2/notifications/policy', { for_private_mentions: 'accept' });
      for (const object of [quiet, few, private_, untagged, odd]) {
        await deliver(server, by('author'), create('author', object));
      }
      const expected = [
        [quiet, 'unlisted', 200, 200],
        [few, 'private', 200, 404],
        [private_, 'direct', 200, 404],
        [untagged, 'direct', 404, 200],
        [odd, 'direct', 200, 404],
      ] as const;
      for (const [object, visibility, forAlice, forBob] of expected) {
        expect(await statusFor(alice, object), visibility).equal(forAlice);
        expect(await statusFor(bob, object), visibility).equal(forBob);
        expect((await seen(forAlice === 200 ? alice : bob, object)).visibility).equal(visibility);
        expect((await server.call('GET', `/api/v1/statuses/${await idOf(object['id'])}`)).status).equal(
          visibility === 'unlisted' ? 200 : 404,
        );
      }
      expect((await as(bob, 'GET', '/api/v1/conversations'))[0].last_status.uri).equal(untagged['id']);
    });
  });

  describe('that are ignored', () => {
    it('come from strangers who follow, mention or answer no local account', async () => {
      await expectIgnored(server, by('stranger'), create('stranger', note('stranger')), 'a stranger');
      const direct = note('author', { to: [`${peer.origin}/users/stranger`] });
      await expectIgnored(server, by('author'), create('author', direct), 'for others alone');
      const nobody = note('stranger', { cc: [`${HERE}/users/nobody`] });
      await expectIgnored(server, by('stranger'), create('stranger', nobody), 'for a missing account');
    });

    it('come from a sender who is not the author, or have an id of another origin (GHSA-jhrq-qvrm-qr36)', async () => {
      for (const [why, changes] of Object.entries({
        'of another author': { attributedTo: `${peer.origin}/users/stranger` },
        'of an author elsewhere': { attributedTo: `${evil.origin}/users/eve` },
        'of one of ours': { attributedTo: ALICE },
        'of a missing account': { attributedTo: [] },
        'at another origin': { id: `${evil.origin}/notes/1` },
        'at our origin': { id: `${HERE}/users/alice/statuses/1` },
        'no address': { id: 'urn:uuid:1' },
        'no name': { id: undefined },
        'no post': { type: 'Person' },
        'too many options': {
          type: 'Question',
          oneOf: Array.from({ length: 501 }, (_, n) => ({ name: `${n}` })),
        },
      })) {
        await expectIgnored(server, by('author'), create('author', note('author', changes)), why);
      }
      await expectIgnored(
        server,
        by('author'),
        create('author', evil.note('eve', 'linked')),
        'a link elsewhere',
      );
      // The linked document names another author.
      const liar = peer.note('stranger', 'liar');
      await expectIgnored(server, by('author'), create('author', liar), 'a link to a post of another');
    });

    it('reply to a post that their author may not see (GHSA-gwhw-gcjx-72v8)', async () => {
      const secret = await posted(alice, { status: 'Not for you', visibility: 'private' });
      const answer = note('stranger', { inReplyTo: secret['uri'] });
      await deliver(server, by('stranger'), create('stranger', answer));
      expect(await idOf(answer['id'])).equal('0');
      // A mention is delivered all the same, without a link to the post that it answers.
      const mentioning = note('stranger', { inReplyTo: secret['uri'], ...toAlice });
      await deliver(server, by('stranger'), create('stranger', mentioning));
      expect((await seen(alice, mentioning)).in_reply_to_id).equal(null);
    });

    it('come from blocked accounts, and cause no notification', async () => {
      const pest = peer.actor('pest');
      const id = await accountOf(pest);
      await as(bob, 'POST', `/api/v1/accounts/${id}/block`);
      const before = (await told(bob)).length;
      const to = `${HERE}/users/bob`;
      await deliver(
        server,
        by('pest'),
        create('pest', note('pest', { tag: [{ type: 'Mention', href: to }], cc: [to] })),
      );
      expect(await told(bob)).to.have.length(before);
    });
  });

  describe('that other servers forward', () => {
    const inside = { signature: { type: 'RsaSignature2017', signatureValue: 'x' } };

    it('are fetched from their origin when they reply to a known post', async () => {
      const mine = await posted(alice, { status: 'Discuss' });
      const uri = peer.note('stranger', 'passed', { inReplyTo: mine['uri'] });
      const forged = { ...note('stranger', { inReplyTo: mine['uri'], content: 'Forged' }), id: uri };
      await deliver(server, by('eve', evil), { ...create('stranger', forged), ...inside });
      expect((await seen(bob, { id: uri })).content).equal('<p>passed</p>');
    });

    it('are ignored in all other cases', async () => {
      const mine = await posted(alice, { status: 'Discuss this' });
      for (const [why, passed] of Object.entries({
        'answers nothing known': create('stranger', { ...note('stranger'), id: peer.note('stranger', 'p1') }),
        'is not there': create('stranger', note('stranger', { inReplyTo: mine['uri'] })),
        'is elsewhere': create(
          'stranger',
          note('stranger', { id: evil.note('eve', 'p2'), inReplyTo: mine['uri'] }),
        ),
        'a change of nothing': sent('stranger', 'Update', note('stranger')),
      })) {
        await expectIgnored(server, by('eve', evil), { ...passed, ...inside }, why);
      }
    });

    it('change only to what their origin serves', async () => {
      const object = note('stranger', toAlice);
      await deliver(server, by('stranger'), create('stranger', object));
      const path = new URL(String(object['id'])).pathname;
      peer.put(path, { ...object, content: '<p>Genuine</p>', updated: '2026-11-20T09:00:00Z' });
      const forged = { ...object, content: '<p>Forged</p>', updated: '2026-11-21T09:00:00Z' };
      await deliver(server, by('eve', evil), { ...sent('stranger', 'Update', forged), ...inside });
      expect((await seen(bob, object)).content).equal('<p>Genuine</p>');
    });
  });

  describe('that change', () => {
    const update = (name: string, object: unknown, of = peer) => sent(name, 'Update', object, {}, of);

    it('keep a history, and change by their author alone', async () => {
      const picture = { type: 'Document', mediaType: 'image/png', url: `${peer.origin}/p.png` };
      const object = note('author', { attachment: [picture] });
      await deliver(server, by('author'), create('author', object));
      const before = await seen(alice, object);
      const edited = { ...object, content: '<p>Crows</p>', updated: '2026-11-20T09:00:00Z', ...toAlice };
      await deliver(server, by('author'), update('author', edited));
      const after = await seen(alice, object);
      expect(after).deep.include({ content: '<p>Crows</p>', edited_at: '2026-11-20T09:00:00.000Z' });
      expect(after.id).equal(before.id);
      expect(after.media_attachments[0].id).equal(before.media_attachments[0].id);
      const history = await as(alice, 'GET', `/api/v1/statuses/${before.id}/history`);
      expect(history.map((one: Json) => one['content'])).deep.equal(['<p>Rooks</p>', '<p>Crows</p>']);
      expect((await told(alice)).map(({ type, status }) => `${type} ${status.uri}`)).contain(
        `mention ${String(object['id'])}`,
      );
      await expectIgnored(server, by('author'), update('author', edited), 'nothing new');
      const older = { ...object, content: '<p>Jackdaws</p>', updated: '2026-11-20T08:30:00Z' };
      await expectIgnored(server, by('author'), update('author', older), 'an older one');
      for (const [why, name, of] of [
        ['by a stranger', 'stranger', peer],
        ['an account of another server', 'eve', evil],
      ] as const) {
        const forged = { ...edited, content: 'Forged', updated: '2026-11-21T09:00:00Z' };
        await expectIgnored(server, by(name, of), update(name, forged, of), why);
      }
      await expectIgnored(server, by('author'), update('author', note('author')), 'an unknown post');
    });

    it('keep their polls, with the votes counted by their own server', async () => {
      const options = (...counts: number[]) =>
        ['Rook', 'Crow'].map((name, at) => ({
          type: 'Note',
          name,
          replies: { totalItems: counts[at] ?? 0 },
        }));
      const object = note('author', {
        type: 'Question',
        oneOf: options(1, 2),
        endTime: '2090-01-01T00:00:00Z',
      });
      await deliver(server, by('author'), create('author', object));
      const poll = async () => (await seen(bob, object)).poll;
      expect((await poll()).options.map((one: Json) => one['votes_count'])).deep.equal([1, 2]);
      const { id } = await poll();
      await as(bob, 'POST', `/api/v1/polls/${id}/votes`, { choices: [0] });
      await deliver(
        server,
        by('author'),
        update('author', { ...object, oneOf: options(3, 4), votersCount: 7 }),
      );
      expect(await poll()).deep.include({ id, votes_count: 7, own_votes: [0] });
      expect((await seen(bob, object)).edited_at).equal(null);
      const broken = { ...object, oneOf: options(-1, 2 ** 60) };
      await expectIgnored(server, by('author'), update('author', broken), 'no counts');
      const other = {
        ...object,
        oneOf: [...options(0, 0), { name: 'Jay' }],
        updated: '2026-11-20T09:00:00Z',
      };
      await deliver(server, by('author'), update('author', other));
      expect(await poll()).deep.include({ votes_count: 0, own_votes: [] });
      expect((await poll()).id).equal(id);
    });
  });

  describe('with polls', () => {
    const toldOfPoll = async (user: TestUser, object: Json): Promise<number> =>
      (await told(user)).filter(({ type, status }) => type === 'poll' && status.uri === object['id']).length;

    it('notify local voters once, some time after the poll has ended', async () => {
      const oneOf = ['Rook', 'Crow'].map((name) => ({ type: 'Note', name, replies: { totalItems: 1 } }));
      const object = note('author', { type: 'Question', oneOf, endTime: '2090-01-01T00:00:00Z' });
      await deliver(server, by('author'), create('author', object));
      const { poll } = await seen(bob, object);
      await as(bob, 'POST', `/api/v1/polls/${poll.id}/votes`, { choices: [0] });
      const ended = (minutesAgo: number): Promise<void> => {
        const closed = new Date(Date.now() - minutesAgo * 60_000).toISOString();
        const changes = { closed, endTime: closed, updated: new Date().toISOString() };
        return deliver(server, by('author'), sent('author', 'Update', { ...object, ...changes }));
      };
      await ended(1);
      await server.waitUntilIdle();
      expect(await toldOfPoll(bob, object)).equal(0);
      await ended(6);
      await eventually(async () => expect(await toldOfPoll(bob, object)).equal(1));
      expect(await toldOfPoll(alice, object)).equal(0);
      await ended(7);
      await server.waitUntilIdle();
      expect(await toldOfPoll(bob, object)).equal(1);
    });
  });

  describe('that are deleted', () => {
    const remove = (name: string, object: unknown, of = peer) => sent(name, 'Delete', object, {}, of);

    it('disappear for good, by their author alone and in any form of Delete', async () => {
      for (const form of [
        (id: unknown) => id,
        (id: unknown) => ({ id, type: 'Tombstone' }),
        (id: unknown) => ({ id, type: 'Note', attributedTo: author }),
      ]) {
        const object = note('author', toAlice);
        await deliver(server, by('author'), create('author', object));
        const { id } = await seen(alice, object);
        await expectIgnored(server, by('stranger'), remove('stranger', form(object['id'])), 'by a stranger');
        await expectIgnored(server, by('eve', evil), remove('eve', form(object['id']), evil), 'elsewhere');
        await deliver(server, by('author'), remove('author', form(object['id'])));
        expect((await server.call('GET', `/api/v1/statuses/${id}`, { token: alice.token })).status).equal(
          404,
        );
        await expectIgnored(server, by('author'), remove('author', form(object['id'])), 'again');
        await expectIgnored(server, by('author'), create('author', object), 'the post arrives again');
      }
      const mine = await posted(alice, { status: 'Mine' });
      await expectIgnored(server, by('author'), remove('author', mine['uri']), 'ours');
    });

    it('never appear when their author deletes them before they arrive', async () => {
      const object = note('author', toAlice);
      // An account of the same server that is not the author.
      await accountOf(peer.actor('neighbour'));
      await expectIgnored(server, by('neighbour'), remove('neighbour', object['id']), 'by a neighbour');
      const kept = note('author', toAlice);
      await expectIgnored(server, by('neighbour'), remove('neighbour', kept['id']), 'by a neighbour');
      await expectIgnored(
        server,
        by('author'),
        remove('author', { id: object['id'], type: 'Tombstone' }),
        'not here',
      );
      await expectIgnored(server, by('author'), create('author', object), 'overtaken');
      await deliver(server, by('author'), create('author', kept));
      expect(await idOf(kept['id'])).not.equal('0');
    });

    it('disappear also when Create and Delete follow each other without a pause', async () => {
      const objects = Array.from({ length: 6 }, () => note('author'));
      for (const object of objects) {
        await send(server, by('author'), create('author', object));
        await send(server, by('author'), remove('author', object['id']));
      }
      await carriedOut(server);
      for (const object of objects) expect(await idOf(object['id'])).equal('0');
    });
  });

  describe('that are pinned', () => {
    const change = (type: string, object: unknown, target: unknown = `${author}/featured`, name = 'author') =>
      sent(name, type, object, { target });
    const pinned = async (): Promise<string[]> =>
      (await as(alice, 'GET', `/api/v1/accounts/${authorId}/statuses?pinned=true`)).map(
        (one: Json) => one['uri'],
      );

    it('are shown as pinned until their author unpins them', async () => {
      const object = note('author');
      await deliver(server, by('author'), create('author', object));
      await expectIgnored(
        server,
        by('author'),
        change('Add', object['id'], `${author}/other`),
        'another collection',
      );
      await expectIgnored(server, by('author'), change('Add', object['id'], null), 'no collection');
      const theirs = change('Add', object['id'], `${peer.origin}/users/stranger/featured`, 'stranger');
      await expectIgnored(server, by('stranger'), theirs, 'for another account');
      await deliver(server, by('author'), change('Add', object['id']));
      expect(await pinned()).deep.equal([object['id']]);
      await expectIgnored(server, by('author'), change('Add', object['id']), 'again');
      const unknown = peer.note('author', 'pinned');
      await deliver(server, by('author'), change('Add', unknown));
      expect(await pinned()).deep.equal([unknown, object['id']]);
      await deliver(server, by('author'), change('Remove', object['id']));
      expect(await pinned()).deep.equal([unknown]);
    });
  });
});

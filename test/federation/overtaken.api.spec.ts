import { expect } from 'chai';
import { pruneActorClock } from '#interfaces/federation/inbox/actor-clock.ts';
import { InboxTombstones, pruneTombstones } from '#interfaces/federation/inbox/tombstones.ts';
import { deliver, expectIgnored, HERE, type Json, PUBLIC } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

/** Servers deliver concurrently and retry what failed, so the order of arrival is not the order of events. */
describe('Activities that arrive out of order', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { accountOf, as, by, sent } = scene;
  let server: TestServer;
  let peer: Peer;
  let evil: Peer;
  let alice: TestUser;
  let bob: TestUser;
  let post: { id: string; uri: string };
  let made = 0;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, evil, alice, bob } = await scene.start());
    await as(bob, 'PATCH', '/api/v1/accounts/update_credentials', { locked: true });
    evil.actor('eve');
    await accountOf(`${evil.origin}/users/eve`);
    post = await as(alice, 'POST', '/api/v1/statuses', { status: 'Rooks' });
  });
  after(() => scene.close());

  /** Makes an actor that is already known here, or one that is not. */
  const actor = async (isKnown: boolean): Promise<{ name: string; uri: string }> => {
    const name = `late${(made += 1)}`;
    const uri = peer.actor(name);
    if (isKnown) await accountOf(uri);
    return { name, uri };
  };
  const to = { to: [PUBLIC] };
  const objectOf = (type: string): string => (type === 'Like' || type === 'Announce' ? post.uri : ALICE);
  const followers = async (): Promise<number> =>
    (await as(alice, 'GET', `/api/v1/accounts/${alice.id}`)).followers_count;

  for (const type of ['Follow', 'Like', 'Announce', 'Block']) {
    for (const isKnown of [true, false]) {
      it(`ignore ${type} by ${isKnown ? 'a known' : 'an unknown'} actor after its Undo`, async () => {
        const forms = [
          (act: Json) => act,
          (act: Json) => act['id'],
          (act: Json) => ({ id: act['id'], type }),
        ];
        for (const form of forms) {
          const { name } = await actor(isKnown);
          const act = sent(name, type, objectOf(type), to);
          const theirs = sent('eve', 'Undo', form(act), {}, evil);
          await expectIgnored(server, by('eve', evil), theirs, 'by an account of another server');
          await expectIgnored(server, by(name), sent(name, 'Undo', form(act)), 'first');
          await expectIgnored(server, by(name), act, 'overtaken');
          // The next activity with this id counts, because some servers reuse their only id.
          await deliver(server, by(name), sent(name, type, objectOf(type), { ...to, id: act['id'] }));
          const head = await server.app.log.head();
          await deliver(server, by(name), sent(name, 'Undo', form(act)));
          expect(Number(await server.app.log.head()), 'undone').greaterThan(Number(head));
        }
      });
    }
  }

  it('keep a repeated Undo from cancelling a later Follow', async () => {
    const { name } = await actor(true);
    const follow = sent(name, 'Follow', ALICE);
    const before = await followers();
    await deliver(server, by(name), follow);
    await deliver(server, by(name), sent(name, 'Undo', follow));
    await expectIgnored(server, by(name), sent(name, 'Undo', follow), 'a repeated Undo');
    await expectIgnored(server, by(name), sent(name, 'Undo', follow['id']), 'by its id');
    await deliver(server, by(name), { ...follow, again: 1 });
    expect(await followers()).equal(before + 1);
  });

  it('keep a Follow when an Undo names an earlier one', async () => {
    for (const user of [alice, bob]) {
      const { name } = await actor(true);
      const target = `${HERE}/users/${user.username}`;
      const [first, second] = [sent(name, 'Follow', target), sent(name, 'Follow', target)];
      await deliver(server, by(name), first);
      await deliver(server, by(name), second);
      await expectIgnored(server, by(name), sent(name, 'Undo', first), 'the first one');
      await expectIgnored(server, by(name), sent(name, 'Undo', first['id']), 'by its id');
      const head = await server.app.log.head();
      await deliver(server, by(name), sent(name, 'Undo', second));
      expect(Number(await server.app.log.head()), 'the second one').greaterThan(Number(head));
      // Misskey undoes a follow under another id than that of the Follow.
      await deliver(server, by(name), sent(name, 'Follow', target));
      const third = sent(name, 'Follow', target);
      const before = await server.app.log.head();
      await deliver(server, by(name), sent(name, 'Undo', third));
      expect(Number(await server.app.log.head()), 'under an id of its own').greaterThan(Number(before));
    }
  });

  it('are withdrawn by their own actor alone', async () => {
    const [mine, neighbour] = [await actor(true), await actor(true)];
    const follow = sent(mine.name, 'Follow', ALICE);
    await expectIgnored(
      server,
      by(neighbour.name),
      sent(neighbour.name, 'Undo', follow),
      'in the name of another actor',
    );
    await expectIgnored(server, by(neighbour.name), sent(neighbour.name, 'Undo', follow['id']), 'by its id');
    const before = await followers();
    await deliver(server, by(mine.name), follow);
    expect(await followers()).equal(before + 1);
  });

  it('ignore Announce and Create after their Delete, also by an unknown actor', async () => {
    const { name, uri } = await actor(false);
    const announce = sent(name, 'Announce', post.uri, to);
    await expectIgnored(server, by(name), sent(name, 'Delete', announce['id']), 'first');
    await expectIgnored(server, by(name), announce, 'overtaken');
    const object = {
      id: `${peer.origin}/notes/${name}`,
      type: 'Note',
      attributedTo: uri,
      content: 'Gone',
      to: [PUBLIC, ALICE],
      published: new Date().toISOString(),
    };
    await expectIgnored(server, by(name), sent(name, 'Delete', object.id), 'first');
    await expectIgnored(server, by(name), sent(name, 'Create', object), 'overtaken');
  });

  describe('Update of a post', () => {
    const objectBy = (name: string, uri: string, changes: Json = {}): Json => ({
      id: `${peer.origin}/notes/${name}-${(made += 1)}`,
      type: 'Note',
      attributedTo: uri,
      content: 'First',
      published: new Date(Date.now() - 60_000).toISOString(),
      to: [PUBLIC, ALICE],
      ...changes,
    });
    const ago = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toISOString();
    const shown = async (object: Json): Promise<Json> => {
      const [row] = await server.app.db.query<{ id: string }>('select id from statuses where uri = $1', [
        object['id'],
      ]);
      return as(alice, 'GET', `/api/v1/statuses/${row?.id}`) as Promise<Json>;
    };

    it('creates a missing post, whose older text is not accepted afterwards', async () => {
      for (const isKnown of [true, false]) {
        const { name, uri } = await actor(isKnown);
        const first = objectBy(name, uri);
        const [second, third] = [
          { ...first, content: 'Second', updated: ago(30) },
          { ...first, content: 'Third', updated: ago(20) },
        ];
        await deliver(server, by(name), sent(name, 'Update', third));
        expect(await shown(first)).deep.include({ content: 'Third', edited_at: third.updated });
        await expectIgnored(server, by(name), sent(name, 'Create', first), 'the oldest');
        await expectIgnored(server, by(name), sent(name, 'Update', second), 'older');
        expect(await shown(first)).deep.include({ content: 'Third', edited_at: third.updated });
        const ahead = { ...first, content: 'Fourth', updated: ago(-600) };
        await deliver(server, by(name), sent(name, 'Update', ahead));
        expect((await shown(first))['content'], 'by a clock that is ahead').equal('Fourth');
        const { id } = await shown(first);
        const history = (await as(alice, 'GET', `/api/v1/statuses/${String(id)}/history`)) as Json[];
        expect(history.map((one) => one['content'])).have.members(['Third', 'Fourth']);
        await deliver(server, by(name), sent(name, 'Delete', first['id']));
        await expectIgnored(server, by(name), sent(name, 'Update', ahead), 'of a deleted post');
      }
    });

    it('creates no post that is old, deleted or without interest here', async () => {
      const { name, uri } = await actor(true);
      const old = objectBy(name, uri, { published: ago(2 * 86_400), updated: ago(10) });
      await expectIgnored(server, by(name), sent(name, 'Update', old), 'old');
      const elsewhere = objectBy(name, uri, { to: [PUBLIC], updated: ago(10) });
      await expectIgnored(server, by(name), sent(name, 'Update', elsewhere), 'addressed to no local account');
      const gone = objectBy(name, uri, { updated: ago(10) });
      await expectIgnored(server, by(name), sent(name, 'Delete', gone['id']), 'not here yet');
      await expectIgnored(server, by(name), sent(name, 'Update', gone), 'deleted before');
    });
  });

  describe('Changes of an actor', () => {
    const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1_000);
    const shown = async (uri: string): Promise<unknown> =>
      ((await as(alice, 'GET', `/api/v1/accounts/${await accountOf(uri)}`)) as Json)['display_name'];

    it('ignore an older Update, whether its profile, activity or id tells the date', async () => {
      const said: Record<string, (at: Date, document: Json) => [Json, Json]> = {
        'the profile': (at, document) => [{ ...document, updated: at.toISOString() }, {}],
        'the activity': (at, document) => [document, { published: at.toISOString() }],
        'its name, in seconds': (at, document) => [
          document,
          { id: `${String(document['id'])}#updates/${Math.floor(at.getTime() / 1_000)}` },
        ],
        'its name, in milliseconds': (at, document) => [
          document,
          { id: `${String(document['id'])}#updates/${at.getTime()}` },
        ],
      };
      for (const [how, say] of Object.entries(said)) {
        const { name, uri } = await actor(true);
        const change = (display: string, at: Date): Json => {
          const document = {
            id: uri,
            type: 'Person',
            preferredUsername: name,
            name: display,
            inbox: `${uri}/inbox`,
            followers: `${uri}/followers`,
            featured: `${uri}/featured`,
          };
          const [object, more] = say(at, document);
          return sent(name, 'Update', object, more);
        };
        const second = change('Second', ago(20));
        await deliver(server, by(name), second);
        await expectIgnored(server, by(name), change('First', ago(40)), `older by ${how}`);
        await expectIgnored(server, by(name), second, `twice by ${how}`);
        expect(await shown(uri), how).equal('Second');
        await deliver(server, by(name), change('Third', ago(-3_600)));
        await deliver(server, by(name), change('Fourth', ago(-3_500)));
        expect(await shown(uri), `${how}, by a clock that is ahead`).equal('Fourth');
        await expectIgnored(server, by(name), change('First', ago(10)), `older once more by ${how}`);
      }
      await server.app.db.query(`update durable.said_last set noted_at = now() - interval '9 days'`);
      await pruneActorClock(server.app.db);
      expect(await server.app.db.query('select from durable.said_last')).to.have.length(0);
    });

    it('pin and unpin a post as the collection says when Add and Remove arrive in the wrong order', async () => {
      const { name, uri } = await actor(true);
      const id = await accountOf(uri);
      const featured = `${uri}/featured`;
      const note = {
        id: `${peer.origin}/notes/${name}`,
        type: 'Note',
        attributedTo: uri,
        content: 'Pinned',
        to: [PUBLIC, ALICE],
        published: new Date().toISOString(),
      };
      await deliver(server, by(name), sent(name, 'Create', note));
      const change = (type: string): Json => sent(name, type, note.id, { target: featured });
      const holds = (...orderedItems: unknown[]) =>
        peer.put(`/users/${name}/featured`, {
          id: featured,
          type: 'OrderedCollection',
          totalItems: orderedItems.length,
          orderedItems,
        });
      const isPinned = async (): Promise<boolean> =>
        ((await as(alice, 'GET', `/api/v1/accounts/${id}/statuses?pinned=true`)) as Json[]).length === 1;

      holds();
      await expectIgnored(server, by(name), change('Remove'), 'overtakes');
      await expectIgnored(server, by(name), change('Add'), 'overtaken');
      holds(note);
      await deliver(server, by(name), change('Add'));
      expect(await isPinned(), 'the next one').equal(true);
      await expectIgnored(server, by(name), change('Add'), 'overtakes');
      await expectIgnored(server, by(name), change('Remove'), 'overtaken');
      expect(await isPinned(), 'still').equal(true);
      await expectIgnored(server, by(name), change('Add'), 'twice');
      holds();
      await deliver(server, by(name), change('Remove'));
      expect(await isPinned(), 'equal to the collection').equal(false);
      await expectIgnored(server, by(name), change('Remove'), 'twice');
      peer.put(`/users/${name}/featured`, (_req, res) => void res.status(404).end());
      await deliver(server, by(name), change('Add'));
      expect(await isPinned(), 'when the collection cannot be fetched').equal(true);
    });
  });

  it('are remembered for some days and in a limited number', async () => {
    const { db } = server.app;
    const withdrawn = new InboxTombstones(db);
    const uris = Array.from({ length: 5 }, (_, n) => `https://far.example/likes/${n}`);
    for (const uri of uris) await withdrawn.add('https://far.example/u', uri);
    await pruneTombstones(db, 2);
    const left = await Promise.all(uris.map((uri) => withdrawn.has('https://far.example/u', uri)));
    expect(left, 'the newest stay').deep.equal([false, false, false, true, true]);
    await db.query(`update durable.withdrawn set withdrawn_at = now() - interval '9 days'`);
    await pruneTombstones(db);
    expect(await db.query('select from durable.withdrawn')).to.have.length(0);
  });
});

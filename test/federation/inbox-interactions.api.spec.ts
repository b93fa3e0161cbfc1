import { expect } from 'chai';
import { status } from '#commands/statuses/index.ts';
import { type StatusEvent, statusStream } from '#events/statuses.ts';
import {
  blockDomain,
  carriedOut,
  deliver,
  expectIgnored,
  HERE,
  type Json,
  PUBLIC,
} from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

describe('Interactions in the inbox', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { accountOf, as, by, sent } = scene;
  let server: TestServer;
  let peer: Peer;
  let evil: Peer;
  let alice: TestUser;
  let bob: TestUser;
  let mod: TestUser;
  /** An account that follows alice and is followed by her. */
  let friend: string;
  let friendId: string;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, evil, alice, bob } = await scene.start());
    mod = await server.user('mod', { role: 'Admin', scopes: ['read', 'admin:read', 'admin:write'] });
    friend = peer.actor('friend');
    evil.actor('eve');
    friendId = await accountOf(friend);
    await accountOf(`${evil.origin}/users/eve`);
    await as(alice, 'POST', `/api/v1/accounts/${friendId}/follow`);
    await deliver(
      server,
      by('friend'),
      sent('friend', 'Accept', { type: 'Follow', actor: ALICE, object: friend }),
    );
    await deliver(server, by('friend'), sent('friend', 'Follow', ALICE));
  });
  after(() => scene.close());

  const posted = (visibility = 'public', more: Json = {}) =>
    as(alice, 'POST', '/api/v1/statuses', {
      status: `Rooks, ${visibility}${visibility === 'direct' ? ' @bob' : ''}`,
      visibility,
      ...more,
    });
  const statusOf = async (path: string): Promise<number> =>
    (await server.call('GET', path, { token: alice.token })).status;
  const shown = (id: string, user = alice) => as(user, 'GET', `/api/v1/statuses/${id}`);
  /** Alice's notifications about a status: the type and the account that acted. */
  const told = async (id: string): Promise<string[]> =>
    (await as(alice, 'GET', '/api/v1/notifications?limit=80'))
      .filter((one: { status?: { id: string } }) => one.status?.id === id)
      .map((one: { type: string; account: { acct: string } }) => `${one.type} ${one.account.acct}`);
  const to = { to: [PUBLIC], cc: [`${HERE}/users/alice`] };

  describe('Like', () => {
    it('favourites a local post, with a notification, until it is undone', async () => {
      const { id, uri } = await posted();
      evil.actor('admirer');
      const like = sent('admirer', 'Like', uri, {}, evil);
      await deliver(server, by('admirer', evil), like);
      expect((await shown(id)).favourites_count).equal(1);
      expect(await told(id)).deep.equal([`favourite admirer@${evil.host}`]);
      const favourited = await as(alice, 'GET', `/api/v1/statuses/${id}/favourited_by`);
      expect(favourited.map((one: Json) => one['uri'])).deep.equal([`${evil.origin}/users/admirer`]);
      const again = sent('admirer', 'Like', { id: uri, type: 'Note' }, {}, evil);
      await expectIgnored(server, by('admirer', evil), again, 'again');
      await expectIgnored(server, by('friend'), sent('friend', 'Undo', like), 'by another account');
      await expectIgnored(
        server,
        by('friend'),
        sent('friend', 'Undo', { type: 'Like', object: uri }),
        'nothing',
      );
      await deliver(server, by('admirer', evil), sent('admirer', 'Undo', like, {}, evil));
      expect((await shown(id)).favourites_count).equal(0);
      expect(await told(id)).deep.equal([]);
    });

    it('is undone by its id alone, when that is the id of the last Like', async () => {
      const { id, uri } = await posted();
      const undo = (like: Json) => sent('friend', 'Undo', like['id']);
      const [first, second] = [sent('friend', 'Like', uri), sent('friend', 'Like', uri)];
      await deliver(server, by('friend'), first);
      await expectIgnored(
        server,
        by('eve', evil),
        sent('eve', 'Undo', first['id'], {}, evil),
        'by another account',
      );
      await expectIgnored(server, by('friend'), undo(second), 'another one');
      await deliver(server, by('friend'), undo(first));
      expect((await shown(id)).favourites_count).equal(0);
      await deliver(server, by('friend'), second);
      await expectIgnored(server, by('friend'), undo(first), 'the first one again');
      await deliver(server, by('friend'), undo(second));
      expect((await shown(id)).favourites_count).equal(0);
    });

    it('counts only for a post that the actor may see (GHSA-gwhw-gcjx-72v8)', async () => {
      const secret = await posted('private');
      evil.actor('unknown');
      for (const name of ['eve', 'unknown']) {
        await expectIgnored(server, by(name, evil), sent(name, 'Like', secret.uri, {}, evil), name);
      }
      await deliver(server, by('friend'), sent('friend', 'Like', secret.uri));
      expect((await shown(secret.id)).favourites_count).equal(1);
      const direct = await posted('direct');
      await expectIgnored(server, by('friend'), sent('friend', 'Like', direct.uri), 'a direct one');
      const gone = await posted();
      await as(alice, 'DELETE', `/api/v1/statuses/${gone.id}`);
      await expectIgnored(server, by('friend'), sent('friend', 'Like', gone.uri), 'a deleted post');
      const { uri } = await posted();
      for (const object of [uri.replace('alice', 'bob'), `${uri}/activity`, peer.note('friend', 'liked')]) {
        await expectIgnored(server, by('friend'), sent('friend', 'Like', object), object);
      }
    });

    it('is ignored, as Announce is, when the author blocks the actor', async () => {
      const { uri } = await posted();
      const pest = peer.actor('pest');
      await as(alice, 'POST', `/api/v1/accounts/${await accountOf(pest)}/block`);
      for (const type of ['Like', 'Announce']) {
        await expectIgnored(server, by('pest'), sent('pest', type, uri, to), type);
      }
    });
  });

  describe('Announce', () => {
    it('reblogs a local post, with a notification, until it is undone in any form', async () => {
      const { id, uri } = await posted();
      for (const form of [
        (one: Json) => one,
        (one: Json) => one['id'],
        (one: Json) => ({ id: one['id'], type: 'Announce' }),
        (one: Json) => ({ type: 'Announce', object: one['object'] }),
      ]) {
        const announce = sent('friend', 'Announce', uri, { ...to, published: '2026-11-21T08:00:00Z' });
        await deliver(server, by('friend'), announce);
        expect((await shown(id)).reblogs_count).equal(1);
        expect(await told(id)).deep.equal([`reblog friend@${peer.host}`]);
        await expectIgnored(
          server,
          by('friend'),
          { ...announce, id: `${String(announce['id'])}-2` },
          'again',
        );
        await expectIgnored(
          server,
          by('eve', evil),
          sent('eve', 'Undo', form(announce), {}, evil),
          'by another account',
        );
        await deliver(server, by('friend'), sent('friend', 'Undo', form(announce)));
        expect((await shown(id)).reblogs_count).equal(0);
      }
      const announce = sent('friend', 'Announce', uri, to);
      await deliver(server, by('friend'), announce);
      await deliver(server, by('friend'), sent('friend', 'Delete', announce['id']));
      expect((await shown(id)).reblogs_count).equal(0);
    });

    it('fetches an unknown post when a local user follows the actor', async () => {
      const uri = evil.note('eve', 'shared', { content: '<p>Shared</p>' });
      await expectIgnored(server, by('eve', evil), sent('eve', 'Announce', uri, to, evil), 'a stranger');
      const announce = sent('friend', 'Announce', uri, { to: [`${friend}/followers`], cc: [PUBLIC] });
      await deliver(server, by('friend'), announce);
      const [first] = await as(alice, 'GET', '/api/v1/timelines/home?limit=1');
      expect(first).deep.include({ uri: announce['id'], visibility: 'unlisted' });
      expect(first.account.id).equal(friendId);
      expect(first.reblog).deep.include({ uri, content: '<p>Shared</p>' });
    });

    it('is ignored for private posts, missing posts and objects that are no posts', async () => {
      const secret = await posted('private');
      const hidden = evil.note('eve', 'hidden', { to: [`${evil.origin}/users/eve/followers`] });
      for (const [why, object] of Object.entries({
        'ours for followers': secret.uri as string,
        'theirs for followers': hidden,
        'an actor': `${evil.origin}/users/eve`,
        'an activity': { id: `${evil.origin}/activities/1`, type: 'Like' },
        nothing: `${evil.origin}/notes/nothing`,
        'nothing of ours': `${HERE}/users/alice/statuses/1`,
      })) {
        await expectIgnored(server, by('friend'), sent('friend', 'Announce', object, to), why);
      }
      const { uri } = await posted();
      await expectIgnored(
        server,
        by('friend'),
        sent('friend', 'Announce', uri, { to: [ALICE] }),
        'to one account only',
      );
      const nameless = { ...sent('friend', 'Announce', uri, to), id: `${evil.origin}/activities/2` };
      await expectIgnored(server, by('friend'), nameless, 'an id at another server');
    });

    it('counts for a followers-only post only by its author', async () => {
      const object = {
        id: `${peer.origin}/notes/own`,
        type: 'Note',
        attributedTo: friend,
        content: 'Own',
        to: [`${friend}/followers`],
        published: '2026-11-20T08:00:00Z',
      };
      await deliver(server, by('friend'), sent('friend', 'Create', object));
      const other = peer.actor('other');
      const otherId = await accountOf(other);
      await as(alice, 'POST', `/api/v1/accounts/${otherId}/follow`);
      await deliver(
        server,
        by('other'),
        sent('other', 'Accept', { type: 'Follow', actor: ALICE, object: other }),
      );
      await expectIgnored(
        server,
        by('other'),
        sent('other', 'Announce', object.id, to),
        'of another account',
      );
      await deliver(
        server,
        by('friend'),
        sent('friend', 'Announce', object.id, { to: [`${friend}/followers`] }),
      );
      // The reader follows the author, so home shows the post and leaves its reblog out.
      const [first] = await as(alice, 'GET', `/api/v1/accounts/${friendId}/statuses?limit=1`);
      expect(first).deep.include({ visibility: 'private' });
      expect(first.reblog.uri).equal(object.id);
      expect((await server.call('GET', `/api/v1/statuses/${first.id}`, { token: bob.token })).status).equal(
        404,
      );
    });
  });

  describe('Votes', () => {
    let votes = 0;
    const vote = (name: string, uri: string, title: unknown, more: Json = {}, of = peer) =>
      sent(
        name,
        'Create',
        {
          id: `${of.origin}/votes/${(votes += 1)}`,
          type: 'Note',
          attributedTo: `${of.origin}/users/${name}`,
          name: title,
          inReplyTo: uri,
          to: [ALICE],
          ...more,
        },
        {},
        of,
      );
    const mention = { type: 'Mention', href: ALICE, name: '@alice' };
    const counts = async (id: string): Promise<number[]> =>
      (await shown(id)).poll.options.map((one: { votes_count: number }) => one.votes_count);

    it('count once, for an option of the poll', async () => {
      const { id, uri } = await posted('public', { poll: { options: ['1', '0'], expires_in: 600 } });
      await deliver(server, by('friend'), vote('friend', uri, '0'));
      expect(await counts(id)).deep.equal([0, 1]);
      expect((await shown(id)).replies_count).equal(0);
      await expectIgnored(server, by('friend'), vote('friend', uri, '0'), 'the same again');
      await expectIgnored(server, by('friend'), vote('friend', uri, '1'), 'another');
      await expectIgnored(server, by('eve', evil), vote('eve', uri, '7', {}, evil), 'no option');
      await expectIgnored(
        server,
        by('eve', evil),
        vote('eve', uri, '1', { attributedTo: friend }, evil),
        'for another account',
      );
      evil.actor('voter');
      await deliver(server, by('voter', evil), vote('voter', uri, '1', {}, evil));
      expect(await counts(id)).deep.equal([1, 1]);
    });

    it('add one choice at a time in a multiple-choice poll', async () => {
      const poll = { options: ['a', 'b', 'c'], multiple: true, expires_in: 600 };
      const { id, uri } = await posted('public', { poll });
      for (const title of ['c', 'a']) await deliver(server, by('friend'), vote('friend', uri, title));
      await expectIgnored(server, by('friend'), vote('friend', uri, 'a'), 'the same again');
      expect(await counts(id)).deep.equal([1, 0, 1]);
      expect((await shown(id)).poll).deep.include({ votes_count: 2, voters_count: 1 });
    });

    it('count for the option in `name`, whatever their content says (snac2)', async () => {
      const poll = { options: ['Birnen <b>', 'b'], expires_in: 600 };
      const { id, uri } = await posted('public', { poll });
      const talks = async (): Promise<unknown[]> =>
        (await as(alice, 'GET', '/api/v1/conversations')) as unknown[];
      const before = (await talks()).length;
      peer.actor('snac');
      for (const [name, content] of [
        ['friend', '<p>Birnen</p>'],
        ['snac', ' '],
      ] as const) {
        await deliver(server, by(name), vote(name, uri, 'Birnen <b>', { content, tag: [mention] }));
      }
      expect(await counts(id)).deep.equal([2, 0]);
      expect(await told(id)).deep.equal([]);
      expect(await talks()).to.have.length(before);
      const answer = vote('friend', uri, 'Pears', { content: '<p>I prefer pears</p>' });
      await deliver(server, by('friend'), answer);
      expect(await talks()).to.have.length(before + 1);
    });

    it('create no post when the poll has ended, is hidden or deleted, or when they come as an Update', async () => {
      const content = '<p>a</p>';
      const poll = { options: ['a', 'b'], expires_in: 300 };
      const text = { content, tag: [mention] };
      const over = await posted('public', { poll });
      const gone = await posted('public', { poll });
      await as(alice, 'DELETE', `/api/v1/statuses/${gone.id}`);
      const hidden = await posted('private', { poll });
      const { app } = server;
      const ctx = app.systemContext('spec');
      await ctx.execute(statusStream(over.id), status, (state): StatusEvent[] => {
        if (state.state !== 'visible' || !state.data.poll) return [];
        const ended = { ...state.data.poll, expires_at: '2026-01-01T00:00:00.000Z' };
        const edit = { edit_id: ctx.newId(), edited_at: ctx.now };
        return [{ type: 'StatusEdited', data: { ...state.data, poll: ended, ...edit } }];
      });
      await server.waitUntilIdle();
      await expectIgnored(server, by('friend'), vote('friend', over.uri, 'a', text), 'after the end');
      await expectIgnored(server, by('friend'), vote('friend', gone.uri, 'a', text), 'deleted');
      await expectIgnored(server, by('eve', evil), vote('eve', hidden.uri, 'a', text, evil), 'a stranger');
      const { object } = vote('friend', hidden.uri, 'a', { ...text, published: new Date().toISOString() });
      await expectIgnored(server, by('friend'), sent('friend', 'Update', object), 'an update');
      const uri = peer.note('friend', 'found-vote', { inReplyTo: over.uri, name: 'a' });
      expect(await as(alice, 'GET', `/api/v2/search?resolve=true&q=${encodeURIComponent(uri)}`)).deep.include(
        { statuses: [] },
      );
    });

    it('count only from accounts that may see the poll, and create no post', async () => {
      const { uri } = await posted('private', { poll: { options: ['a', 'b'], expires_in: 600 } });
      await expectIgnored(server, by('eve', evil), vote('eve', uri, 'a', {}, evil), 'a stranger');
      const plain = await posted();
      await expectIgnored(server, by('friend'), vote('friend', plain.uri, 'a'), 'no poll');
    });
  });

  describe('Flag', () => {
    const reports = (target: string) => as(mod, 'GET', `/api/v1/admin/reports?target_account_id=${target}`);

    it('reports local accounts with their posts, once', async () => {
      const [open, secret, direct] = [await posted(), await posted('private'), await posted('direct')];
      const host = peer.actor('instance', { type: 'Application' });
      const theirs = peer.note('friend', 'flagged');
      const object = [ALICE, open.uri, secret.uri, direct.uri, theirs, `${HERE}/users/bob`, 7];
      const flag = sent('instance', 'Flag', object, { content: `<p>Spam${'!'.repeat(2_000)}</p>` });
      await deliver(server, by('instance'), flag);
      const [report, ...others] = await reports(alice.id);
      expect(others).deep.equal([]);
      expect(report).deep.include({ category: 'other', action_taken: false });
      expect(report.account.account.uri).equal(host);
      // The peer has a follower of alice, who can report her followers-only post. No direct post went there.
      expect(report.statuses.map((one: Json) => one['id'])).have.members([open.id, secret.id]);
      expect(report.comment).to.have.length(1_000);
      expect(await reports(bob.id)).to.have.length(1);
      await expectIgnored(server, by('instance'), flag, 'again');
    });

    it('is ignored for remote accounts and from servers whose reports are rejected', async () => {
      await expectIgnored(
        server,
        by('friend'),
        sent('friend', 'Flag', friend),
        'of an account on another server',
      );
      await blockDomain(server, {
        domain: evil.host,
        severity: 'noop',
        reject_media: false,
        reject_reports: true,
      });
      await expectIgnored(server, by('eve', evil), sent('eve', 'Flag', ALICE, {}, evil), 'unwanted');
    });
  });

  describe('Actors', () => {
    it('update their own profiles', async () => {
      const uri = peer.actor('changing', { name: 'Before' });
      const id = await accountOf(uri);
      await carriedOut(server);
      const person = (changes: Json = {}): Json => ({
        id: uri,
        type: 'Person',
        preferredUsername: 'changing',
        inbox: `${uri}/inbox`,
        name: 'After',
        summary: '<p>Hi <script>x</script></p>',
        ...changes,
      });
      const asked = peer.asked.length;
      await deliver(server, by('changing'), sent('changing', 'Update', person()));
      expect(await as(alice, 'GET', `/api/v1/accounts/${id}`)).deep.include({
        display_name: 'After',
        note: '<p>Hi </p>',
      });
      // The server fetched the key again, and nothing else.
      expect(peer.asked.slice(asked).every(({ path }) => path === '/users/changing')).equal(true);
      await expectIgnored(server, by('changing'), sent('changing', 'Update', person()), 'nothing new');
      await expectIgnored(
        server,
        by('friend'),
        sent('friend', 'Update', person({ name: 'Forged' })),
        'by another account',
      );
      await expectIgnored(
        server,
        by('changing'),
        sent('changing', 'Update', person({ inbox: 7 })),
        'no inbox',
      );
      const renamed = person({ preferredUsername: 'friend', name: 'Renamed' });
      await deliver(server, by('changing'), sent('changing', 'Update', renamed));
      // A new username makes the server fetch the actor, and only the fetched document counts.
      const { display_name, acct } = await as(alice, 'GET', `/api/v1/accounts/${id}`);
      expect([display_name, acct]).deep.equal(['Before', `changing@${peer.host}`]);
    });

    const leave = async (name: string) => {
      const uri = peer.actor(name);
      const id = await accountOf(uri);
      const { id: parent, uri: mine } = await posted();
      await deliver(server, by(name), sent(name, 'Follow', ALICE));
      const note = {
        id: `${peer.origin}/notes/${name}`,
        type: 'Note',
        attributedTo: uri,
        content: 'Bye',
        to: [PUBLIC],
        inReplyTo: mine,
        published: '2026-11-20T08:00:00Z',
      };
      await deliver(server, by(name), sent(name, 'Create', note));
      await deliver(server, by(name), sent(name, 'Announce', mine, to));
      expect(await shown(parent)).deep.include({ replies_count: 1, reblogs_count: 1 });
      return { uri, id, parent, mine };
    };
    const followersCount = async (): Promise<number> =>
      (await as(alice, 'GET', '/api/v1/accounts/verify_credentials')).followers_count;

    it('delete themselves with their follows, posts and reblogs', async () => {
      const before = await followersCount();
      const { uri, id, parent } = await leave('leaving');
      expect(await followersCount()).equal(before + 1);
      await expectIgnored(server, by('friend'), sent('friend', 'Delete', uri), 'by another account');
      await deliver(server, by('leaving'), sent('leaving', 'Delete', uri));
      expect(await followersCount()).equal(before);
      expect(await shown(parent)).deep.include({ replies_count: 0, reblogs_count: 0 });
      const { descendants } = await as(alice, 'GET', `/api/v1/statuses/${parent}/context`);
      expect(descendants).deep.equal([]);
      expect(await statusOf(`/api/v1/accounts/${id}/statuses`)).equal(404);
      expect((await told(parent)).filter((one) => one.includes('leaving'))).deep.equal([]);
      await expectIgnored(
        server,
        by('leaving'),
        sent('leaving', 'Follow', ALICE),
        'it acts after its deletion',
      );
      await expectIgnored(server, by('leaving'), sent('leaving', 'Delete', uri), 'again');
    });

    it('are deleted without a key when their server answers 410', async () => {
      const { uri, id } = await leave('vanished');
      const key = `${uri}#other-key`;
      const gone = sent('vanished', 'Delete', uri);
      const unproven = { keyId: key };
      const before = await server.app.log.head();
      await deliver(server, by('vanished'), gone, unproven);
      expect(await server.app.log.head(), 'it is still there').equal(before);
      peer.put('/users/vanished', (_req, res) => void res.status(404).end());
      await deliver(server, by('vanished'), { ...gone, x: 1 }, unproven);
      expect(await server.app.log.head(), 'it is not found').equal(before);
      peer.put('/users/vanished', (_req, res) => void res.status(410).end());
      await deliver(server, by('vanished'), { ...gone, x: 2 }, unproven);
      expect(await statusOf(`/api/v1/accounts/${id}/statuses`)).equal(404);
    });
  });
});

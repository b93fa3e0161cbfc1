import { expect } from 'chai';
import { followUriOf } from '#queries/federation/index.ts';
import { blockServerAs, deliver, expectIgnored, HERE, type Json } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

describe('Follows in the inbox', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { accountOf, as, by, sent } = scene;
  let server: TestServer;
  let peer: Peer;
  let evil: Peer;
  let alice: TestUser;
  let bob: TestUser;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, evil, alice, bob } = await scene.start());
  });
  after(() => scene.close());

  /** Makes an actor known here. Returns its account id, its URI and its sender. */
  const actor = async (name: string, changes: Json = {}, of = peer) => {
    const uri = of.actor(name, changes);
    return { id: await accountOf(uri), uri, by: by(name, of) };
  };
  const between = async (user: TestUser, id: string) =>
    (await as(user, 'GET', `/api/v1/accounts/relationships?id[]=${id}`))[0];
  /** The types of a user's notifications about an account. */
  const told = async (user: TestUser, id: string): Promise<string[]> =>
    (await as(user, 'GET', `/api/v1/notifications?account_id=${id}`)).map(
      (one: { type: string }) => one.type,
    );
  const db = () => server.app.db;

  describe('that target local accounts', () => {
    it('start immediately with a notification, and end with an Undo', async () => {
      const { id, uri, by } = await actor('fan');
      const follow = sent('fan', 'Follow', ALICE);
      await deliver(server, by, follow);
      expect(await between(alice, id)).deep.include({ followed_by: true, requested_by: false });
      expect(await told(alice, id)).deep.equal(['follow']);
      expect((await as(alice, 'GET', '/api/v1/accounts/verify_credentials')).followers_count).equal(1);
      expect(await followUriOf(db(), id, alice.id)).equal(follow['id']);
      await expectIgnored(server, by, follow, 'the same again');
      await deliver(server, by, sent('fan', 'Undo', { type: 'Follow', actor: uri, object: ALICE }));
      expect(await between(alice, id)).deep.include({ followed_by: false });
      expect((await as(alice, 'GET', '/api/v1/accounts/verify_credentials')).followers_count).equal(0);
    });

    it('keep the id of the last Follow, and end with an Undo of it', async () => {
      const { id, by } = await actor('renamer');
      await deliver(server, by, sent('renamer', 'Follow', ALICE));
      const again = sent('renamer', 'Follow', ALICE);
      await deliver(server, by, again);
      expect(await followUriOf(db(), id, alice.id)).equal(again['id']);
      await deliver(server, by, sent('renamer', 'Undo', again['id']));
      expect(await between(alice, id)).deep.include({ followed_by: false });
      // The id remains known: a removed follower is told by it.
      expect(await followUriOf(db(), id, alice.id)).equal(again['id']);
      expect(await followUriOf(db(), alice.id, id)).equal(null);
    });

    it('become requests when the account is locked', async () => {
      const { id, by } = await actor('polite');
      await as(bob, 'PATCH', '/api/v1/accounts/update_credentials', { locked: true });
      await deliver(server, by, sent('polite', 'Follow', `${HERE}/users/bob`));
      expect(await between(bob, id)).deep.include({ followed_by: false, requested_by: true });
      expect(await told(bob, id)).deep.equal(['follow_request']);
      expect((await as(bob, 'GET', '/api/v1/follow_requests')).map((one: Json) => one['id'])).deep.equal([
        id,
      ]);
      await as(bob, 'POST', `/api/v1/follow_requests/${id}/authorize`);
      expect(await between(bob, id)).deep.include({ followed_by: true });
      await deliver(server, by, sent('polite', 'Undo', { type: 'Follow', object: `${HERE}/users/bob` }));
      await deliver(server, by, sent('polite', 'Follow', `${HERE}/users/bob`));
      await deliver(server, by, sent('polite', 'Undo', { type: 'Follow', object: `${HERE}/users/bob` }));
      expect(await between(bob, id)).deep.include({ followed_by: false, requested_by: false });
    });

    it('are rejected once per request when the account blocks the follower or its server', async () => {
      const { id, by } = await actor('unwanted');
      await as(alice, 'POST', `/api/v1/accounts/${id}/block`);
      const follow = sent('unwanted', 'Follow', ALICE);
      await deliver(server, by, follow);
      expect(await between(alice, id)).deep.include({
        followed_by: false,
        requested_by: false,
        blocking: true,
      });
      expect(await told(alice, id)).deep.equal([]);
      // The request is recorded first: the rejection must name the id of its Follow.
      expect(await lastOf(`relationship-${[alice.id, id].sort(byId).join('-')}`)).deep.equal([
        'AccountBlocked',
        'FollowRequested',
        'FollowRequestRejected',
      ]);
      expect(await followUriOf(db(), id, alice.id)).equal(follow['id']);
      await expectIgnored(server, by, follow, 'the same again');
      await as(alice, 'POST', `/api/v1/accounts/${id}/unblock`);

      const shunned = await actor('shunned', {}, evil);
      await blockServerAs(server, bob, evil.host);
      await deliver(server, shunned.by, sent('shunned', 'Follow', `${HERE}/users/bob`, {}, evil));
      expect(await between(bob, shunned.id)).deep.include({ followed_by: false, requested_by: false });
    });

    it('are rejected when they come from an unknown account of a blocked server', async () => {
      evil.actor('newcomer');
      await deliver(server, by('newcomer', evil), sent('newcomer', 'Follow', `${HERE}/users/bob`, {}, evil));
      const id = await accountOf(`${evil.origin}/users/newcomer`);
      expect(await between(bob, id)).deep.include({ followed_by: false, requested_by: false });
    });

    it('are neither started nor undone in the name of another account, nor for a missing one', async () => {
      const { by, uri } = await actor('forger');
      const victim = await actor('victim');
      await deliver(server, victim.by, sent('victim', 'Follow', ALICE));
      const theirs = { type: 'Follow', actor: victim.uri, object: ALICE };
      await expectIgnored(server, by, sent('forger', 'Undo', theirs), 'of another account');
      await expectIgnored(
        server,
        by,
        sent('forger', 'Undo', await followUriOf(db(), victim.id, alice.id)),
        'by its id',
      );
      await expectIgnored(
        server,
        by,
        sent('forger', 'Follow', `${HERE}/users/nobody`),
        'of a missing account',
      );
      await expectIgnored(
        server,
        by,
        sent('forger', 'Follow', victim.uri),
        'of an account on another server',
      );
      await expectIgnored(
        server,
        by,
        sent('forger', 'Undo', { type: 'Follow', actor: uri, object: ALICE }),
        'nothing',
      );
      expect(await between(alice, victim.id)).deep.include({ followed_by: true });
    });
  });

  describe('by local accounts', () => {
    const ask = async (user: TestUser, id: string) => {
      const relationship = await as(user, 'POST', `/api/v1/accounts/${id}/follow`);
      expect(relationship).deep.include({ following: false, requested: true });
    };
    const ours = (user: TestUser, target: { id: string; uri: string }): Json => ({
      id: `${HERE}/users/${user.username}#follows/${target.id}`,
      type: 'Follow',
      actor: `${HERE}/users/${user.username}`,
      object: target.uri,
    });

    it('wait for an Accept by the followed account itself (CVE-2025-30741)', async () => {
      const star = await actor('star');
      const { by } = star;
      await expectIgnored(server, by, sent('star', 'Accept', ours(alice, star)), 'early');
      await ask(alice, star.id);
      const secret = {
        id: peer.put('/notes/secret', {}),
        type: 'Note',
        attributedTo: star.uri,
        content: '<p>Secret</p>',
        to: [`${star.uri}/followers`],
        published: '2026-11-20T08:00:00Z',
      };
      await expectIgnored(server, by, sent('star', 'Create', secret), 'no local user follows yet');
      const other = await actor('other');
      for (const [why, name, object] of [
        ['by another account', 'other', ours(alice, star)],
        ['of another follow', 'star', ours(alice, other)],
        ['of another account’s follow', 'star', { ...ours(alice, star), actor: `${HERE}/users/bob` }],
        ['of no follow', 'star', { ...ours(alice, star), type: 'Like' }],
        ['by the id of another account’s follow', 'other', ours(alice, star)['id']],
        ['by an unknown id', 'star', `${HERE}/users/alice#follows/1`],
      ] as const) {
        await expectIgnored(server, { peer, name }, sent(name, 'Accept', object), why);
      }
      expect(await between(alice, star.id)).deep.include({ following: false, requested: true });
      await deliver(server, by, sent('star', 'Accept', ours(alice, star)));
      expect(await between(alice, star.id)).deep.include({ following: true, requested: false });
      await deliver(server, by, sent('star', 'Create', secret));
      const timeline = await as(alice, 'GET', '/api/v1/timelines/home');
      expect(timeline.map((one: Json) => one['content'])).deep.equal(['<p>Secret</p>']);
      expect(timeline[0]).deep.include({ visibility: 'private' });
      const { status } = await server.call('GET', `/api/v1/statuses/${timeline[0].id}`, { token: bob.token });
      expect(status, 'bob does not follow').equal(404);
      await expectIgnored(server, by, sent('star', 'Accept', ours(alice, star)), 'again');
    });

    it('are not accepted by an Update that unlocks the profile', async () => {
      const star = await actor('opening', { manuallyApprovesFollowers: true });
      await ask(alice, star.id);
      const person = {
        id: star.uri,
        type: 'Person',
        preferredUsername: 'opening',
        inbox: `${star.uri}/inbox`,
      };
      await deliver(
        server,
        star.by,
        sent('opening', 'Update', { ...person, manuallyApprovesFollowers: false }),
      );
      expect(await as(alice, 'GET', `/api/v1/accounts/${star.id}`)).deep.include({ locked: false });
      expect(await between(alice, star.id)).deep.include({ following: false, requested: true });
    });

    it('are accepted by an Accept of the id of the Follow', async () => {
      const star = await actor('brief');
      await ask(alice, star.id);
      await deliver(server, star.by, sent('brief', 'Accept', ours(alice, star)['id']));
      expect(await between(alice, star.id)).deep.include({ following: true });
    });

    it('are rejected by the followed account, before or after it accepted', async () => {
      const shy = await actor('shy');
      await ask(alice, shy.id);
      await expectIgnored(
        server,
        { peer, name: 'other' },
        sent('other', 'Reject', ours(alice, shy)),
        'by another account',
      );
      await deliver(server, shy.by, sent('shy', 'Reject', ours(alice, shy)));
      expect(await between(alice, shy.id)).deep.include({ following: false, requested: false });
      await ask(alice, shy.id);
      await deliver(server, shy.by, sent('shy', 'Accept', ours(alice, shy)));
      await deliver(server, shy.by, sent('shy', 'Reject', ours(alice, shy)));
      expect(await between(alice, shy.id)).deep.include({ following: false, requested: false });
      await expectIgnored(server, shy.by, sent('shy', 'Reject', ours(alice, shy)), 'again');
    });
  });

  describe('and blocks', () => {
    it('end follows in both directions until the block is undone', async () => {
      const grump = await actor('grump');
      await deliver(server, grump.by, sent('grump', 'Follow', ALICE));
      await as(alice, 'POST', `/api/v1/accounts/${grump.id}/follow`);
      const block = sent('grump', 'Block', ALICE);
      await deliver(server, grump.by, block);
      expect(await between(alice, grump.id)).deep.include({
        followed_by: false,
        following: false,
        requested: false,
      });
      const follow = () => server.call('POST', `/api/v1/accounts/${grump.id}/follow`, { token: alice.token });
      expect((await follow()).status).equal(403);
      await expectIgnored(server, grump.by, block, 'again');
      const victim = { peer, name: 'other' };
      await expectIgnored(server, victim, sent('other', 'Undo', block), 'by another account');
      await deliver(server, grump.by, sent('grump', 'Undo', block));
      expect((await follow()).status).equal(200);
      const named = sent('grump', 'Block', ALICE);
      await deliver(server, grump.by, named);
      await expectIgnored(server, grump.by, sent('grump', 'Undo', block['id']), 'the first one');
      await expectIgnored(server, victim, sent('other', 'Undo', named['id']), 'by another account');
      await deliver(server, grump.by, sent('grump', 'Undo', named['id']));
      expect((await follow()).status, 'by its id').equal(200);
    });
  });

  describe('to accounts that move', () => {
    it('move to the new account when it lists the old one in alsoKnownAs', async () => {
      const old = await actor('old');
      await as(alice, 'POST', `/api/v1/accounts/${old.id}/follow`, { reblogs: false });
      await deliver(server, old.by, sent('old', 'Accept', { type: 'Follow', actor: ALICE, object: old.uri }));
      const thief = evil.actor('thief', { alsoKnownAs: [`${peer.origin}/users/other`] });
      const gone = evil.actor('moved-on', { alsoKnownAs: old.uri, movedTo: thief });
      for (const [why, object, target] of [
        ['a stranger', old.uri, thief],
        ['one that moved', old.uri, gone],
        ['itself', old.uri, old.uri],
        ['a local account', old.uri, `${HERE}/users/bob`],
        ['no target', old.uri, undefined],
        ['another account moves', thief, gone],
      ] as const) {
        await expectIgnored(server, old.by, sent('old', 'Move', object, { target }), why);
      }
      const target = evil.actor('new', { alsoKnownAs: [7, old.uri] });
      await deliver(server, old.by, sent('old', 'Move', old.uri, { target }));
      expect((await as(alice, 'GET', `/api/v1/accounts/${old.id}`)).moved).deep.include({ uri: target });
      // The follow is a request until the new server accepts it.
      expect(await between(alice, await accountOf(target))).deep.include({
        requested: true,
        showing_reblogs: false,
      });
      expect(await between(alice, old.id)).deep.include({ following: false });
      await expectIgnored(server, old.by, sent('old', 'Move', old.uri, { target }), 'again');
      const third = evil.actor('third', { alsoKnownAs: old.uri });
      await server.app.contextDependencies.services.resolver.resolve(third);
      await expectIgnored(server, old.by, sent('old', 'Move', old.uri, { target: third }), 'within 30 days');
    });

    it('show where an account without a Move redirects to, as its profile says', async () => {
      const lead = await actor('leads');
      const says = (changes: object) => {
        peer.actor('leads', { ...changes });
        return deliver(server, lead.by, sent('leads', 'Update', { ...document('leads'), ...changes }));
      };
      const document = (name: string): Json => ({
        id: `${peer.origin}/users/${name}`,
        type: 'Person',
        preferredUsername: name,
        inbox: `${peer.origin}/users/${name}/inbox`,
      });
      const moved = async () => (await as(alice, 'GET', `/api/v1/accounts/${lead.id}`)).moved;
      await says({ movedTo: `${HERE}/users/bob` });
      expect(await moved()).deep.include({ acct: 'bob' });
      // A missing account, the account itself and the target's own target are no redirects.
      await says({ movedTo: `${peer.origin}/users/nobody` });
      await says({ movedTo: lead.uri });
      expect(await moved()).deep.include({ acct: 'bob' });
      const far = evil.actor('far-one', { movedTo: evil.actor('further') });
      await says({ movedTo: far });
      expect(await moved()).deep.include({ uri: far, moved: null });
      const known = await server.app.db.query('select 1 from accounts where uri = $1', [
        `${evil.origin}/users/further`,
      ]);
      expect(known).deep.equal([]);
      await says({});
      expect(await moved()).equal(undefined);
    });
  });

  const byId = (one: string, other: string): number => (BigInt(one) < BigInt(other) ? -1 : 1);
  const lastOf = async (stream: string): Promise<string[]> =>
    (await server.app.log.readStream(stream)).map(({ type }) => type);
});

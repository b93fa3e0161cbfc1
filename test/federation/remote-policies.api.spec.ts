import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { carriedOut, deliver, expectIgnored, HERE, type Json, PUBLIC, send } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

const WAITS = { automaticApproval: [], manualApproval: [PUBLIC] };

describe('Remote interactions with remote posts that have an interaction policy', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { as, by, resolve, sent } = scene;
  let server: TestServer;
  /** The server of `author`, whom alice follows. */
  let peer: Peer;
  /** The server of `carol`, whose posts have policies and whom alice follows. */
  let far: Peer;
  let alice: TestUser;
  let bob: TestUser;
  let author: string;
  let carol: string;
  let made = 0;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, evil: far, alice, bob } = await scene.start());
    author = scene.actor('author');
    carol = scene.actor('carol', far);
    far.actor('mallory');
    peer.actor('stranger');
    await scene.follow(alice, 'author');
    await scene.follow(alice, 'carol', far);
    await scene.accountOf(`${far.origin}/users/mallory`);
    await scene.news();
  });
  after(() => scene.close());

  const isHere = async (uri: unknown): Promise<boolean> => {
    await carriedOut(server);
    const rows = await server.app.db.query('select from statuses where uri = $1 and not deleted', [uri]);
    return rows.length > 0;
  };
  const parentOf = async (uri: unknown): Promise<string | null | undefined> => {
    const [row] = await server.app.db.query<{ uri: string | null }>(
      `select p.uri from statuses s left join statuses p on p.id = s.in_reply_to_id where s.uri = $1 and not s.deleted`,
      [uri],
    );
    return row && row.uri;
  };
  /** Serves a post of carol's with this policy and makes it known here. Returns its URI. */
  const policied = async (interactionPolicy: Json | undefined, changes: Json = {}): Promise<string> => {
    const uri = far.note('carol', `policied-${(made += 1)}`, { interactionPolicy, ...changes });
    expect((await resolve(uri))?.status).be.a('string');
    return uri;
  };
  const reply = (inReplyTo: string, changes: Json = {}) => scene.note('author', { inReplyTo, ...changes });
  const create = (object: Json, type = 'Create') => sent('author', type, object);
  const announce = (object: string, more: Json = {}) =>
    sent('author', 'Announce', object, { to: [PUBLIC], ...more });
  /** Serves an authorization by carol. Returns its URI. */
  const allow = (interacting: unknown, target: string, changes: Json = {}, at = far): string => {
    const path = `/authorizations/${(made += 1)}`;
    return at.put(path, {
      id: `${at.origin}${path}`,
      type: 'ReplyAuthorization',
      attributedTo: carol,
      interactingObject: interacting,
      interactionTarget: target,
      ...changes,
    });
  };
  /** Expects that `act` makes no request to carol's server, except to inboxes. */
  const withoutAsking = async (act: () => Promise<unknown>): Promise<void> => {
    const before = far.asked.length;
    await act();
    const paths = far.asked.slice(before).map(({ path }) => path);
    expect(paths.filter((path) => !path.endsWith('/inbox'))).deep.equal([]);
  };

  describe('Replies', () => {
    it('are accepted only with an authorization by the author of the post', async () => {
      const target = await policied({ canReply: WAITS });
      const mine = reply(target);
      await withoutAsking(() => expectIgnored(server, by('author'), create(mine), 'no authorization'));
      const forgeries: [string, string][] = [
        ['at another host', allow(mine.id, target, {}, peer)],
        ['that is not there', `${far.origin}/authorizations/none`],
        ['by a neighbour', allow(mine.id, target, { attributedTo: `${far.origin}/users/mallory` })],
        ['by nobody', allow(mine.id, target, { attributedTo: null })],
        ['of another reply', allow(`${peer.origin}/replies/0`, target)],
        ['for another post', allow(mine.id, `${far.origin}/notes/0`)],
        ['for no post', allow(mine.id, target, { interactionTarget: undefined })],
        ['of another kind', allow(mine.id, target, { type: 'AnnounceAuthorization' })],
        ['of another id', allow(mine.id, target, { id: `${far.origin}/authorizations/0` })],
        ['of this server', `${ALICE}/reply_authorizations/1`],
      ];
      for (const [why, replyAuthorization] of forgeries) {
        await expectIgnored(server, by('author'), create({ ...mine, replyAuthorization }), why);
      }
      await deliver(
        server,
        by('author'),
        create({ ...mine, replyAuthorization: allow(mine.id, target), approvedBy: `${far.origin}/0` }),
      );
      expect(await parentOf(mine.id)).equal(target);
    });

    it('are accepted with the older forms of an authorization', async () => {
      const target = await policied({ canReply: { always: [carol], approvalRequired: [PUBLIC] } });
      const older = (type: string, changes: Json) => (uri: string) => {
        const none = { interactingObject: undefined, interactionTarget: undefined };
        return allow('', target, { type, object: uri, ...none, ...changes });
      };
      for (const form of [
        older('ReplyApproval', {}),
        older('ReplyApproval', { target }),
        older('Accept', { attributedTo: undefined, actor: carol }),
      ]) {
        const mine = reply(target);
        await deliver(server, by('author'), create({ ...mine, approvedBy: form(mine.id) }));
        expect(await parentOf(mine.id)).equal(target);
      }
      const mine = reply(target);
      const approvedBy = older('ReplyApproval', { target: `${far.origin}/notes/0` })(mine.id);
      await expectIgnored(server, by('author'), create({ ...mine, approvedBy }), 'another target');
    });

    it('are accepted when a later Update brings the authorization', async () => {
      const target = await policied({ canReply: WAITS });
      const mine = reply(target);
      await expectIgnored(server, by('author'), create(mine), 'no authorization');
      await expectIgnored(server, by('author'), create(mine, 'Update'), 'an old post without one');
      const approved = { ...mine, replyAuthorization: allow(mine.id, target) };
      await deliver(server, by('author'), create(approved, 'Update'));
      expect(await parentOf(mine.id)).equal(target);
    });

    it('need no authorization, and no request for one, when the policy allows them', async () => {
      const closed = { canReply: { automaticApproval: [carol] } };
      const own = await policied(closed);
      const answered = await policied({
        canReply: { automaticApproval: [author], manualApproval: [PUBLIC] },
      });
      const first = reply(answered);
      await deliver(server, by('author'), create(first));
      const targets = [
        answered,
        await policied({ canReply: { automaticApproval: [PUBLIC] }, canLike: WAITS }),
        await policied(closed, { tag: [{ type: 'Mention', href: author }], cc: [author] }),
        await policied(closed, { inReplyTo: first.id }),
        await policied(undefined),
      ];
      await withoutAsking(async () => {
        for (const target of targets) {
          const mine = reply(target, { replyAuthorization: `${far.origin}/authorizations/none` });
          await deliver(server, by('author'), create(mine));
          expect(await parentOf(mine.id)).equal(target);
        }
      });
      const thread = { ...reply(own), id: `${far.origin}/replies/1`, attributedTo: carol };
      await deliver(server, by('carol', far), sent('carol', 'Create', thread, {}, far));
      expect(await parentOf(thread.id)).equal(own);
    });

    it('need an authorization when the policy names a collection, which third servers cannot check', async () => {
      const target = await policied({ canReply: { automaticApproval: [`${carol}/followers`] } });
      const mine = reply(target);
      await expectIgnored(server, by('author'), create(mine), 'a follower perhaps');
      const approved = { ...mine, replyAuthorization: allow(mine.id, target) };
      await deliver(server, by('author'), create(approved));
      expect(await parentOf(mine.id)).equal(target);
    });

    it('are refused without authorization even when they mention a local user', async () => {
      const target = await policied({ canReply: WAITS });
      const mention = { tag: [{ type: 'Mention', href: ALICE }], cc: [ALICE], to: [] };
      const mine = reply(target, { attributedTo: `${peer.origin}/users/stranger`, ...mention });
      await deliver(server, by('stranger'), sent('stranger', 'Create', mine));
      expect(await isHere(mine.id)).equal(false);
    });

    it('are not found by their address until they are approved', async () => {
      const target = await policied({ canReply: WAITS });
      const uri = `${peer.origin}/notes/found`;
      peer.note('author', 'found', { inReplyTo: target });
      expect(await resolve(uri)).equal(undefined);
      peer.note('author', 'found2', {
        inReplyTo: target,
        replyAuthorization: allow(`${peer.origin}/notes/found2`, target),
      });
      expect((await resolve(`${peer.origin}/notes/found2`))?.status).be.a('string');
      expect(await parentOf(`${peer.origin}/notes/found2`)).equal(target);
    });

    it('remain when they arrive before the post and are approved, and are deleted when they are not approved', async () => {
      const target = far.note('carol', 'later', { interactionPolicy: { canReply: WAITS } });
      const approved = reply(target);
      const replyAuthorization = allow(approved.id, target);
      await deliver(server, by('author'), create({ ...approved, replyAuthorization }));
      expect(await parentOf(approved.id), 'the post was fetched').equal(target);

      const other = far.note('carol', 'later2', { interactionPolicy: { canReply: WAITS } });
      const neighbours = reply(other);
      const byMallory = { attributedTo: `${far.origin}/users/mallory` };
      const wrong = allow(neighbours.id, other, byMallory);
      await deliver(server, by('author'), create({ ...neighbours, replyAuthorization: wrong }));
      expect(await isHere(other), 'fetched').equal(true);
      expect(await isHere(neighbours.id)).equal(false);

      const third = far.note('carol', 'later3', { interactionPolicy: { canReply: WAITS } });
      const unapproved = peer.note('author', 'unapproved', { inReplyTo: third });
      await resolve(unapproved);
      expect(await isHere(third), 'fetched').equal(true);
      expect(await isHere(unapproved)).equal(false);
    });

    /** Serves two replies, only the second with an authorization. Returns their URIs. */
    const served = (target: string): [string, string] => {
      const [first, second] = [`served-${(made += 1)}`, `served-${(made += 1)}`];
      const replyAuthorization = allow(`${peer.origin}/notes/${second}`, target);
      return [
        peer.note('author', first, { inReplyTo: target }),
        peer.note('author', second, { inReplyTo: target, replyAuthorization }),
      ];
    };

    it('are not fetched with the replies to a post until they are approved', async () => {
      const name = `read-${(made += 1)}`;
      const items = served(`${far.origin}/notes/${name}`);
      const replies = { id: `${far.origin}/notes/${name}/replies`, type: 'Collection', items };
      const target = far.note('carol', name, { interactionPolicy: { canReply: WAITS }, replies });
      const id = (await resolve(target))?.status ?? '';
      await as(alice, 'GET', `/api/v1/statuses/${id}/context`);
      await eventually(async () => expect(await isHere(items[1])).equal(true));
      expect(peer.asked.map(({ path }) => `${peer.origin}${path}`)).include(items[0]);
      expect(await isHere(items[0])).equal(false);
    });

    it('are not fetched when another server forwards them until they are approved', async () => {
      const target = await policied({ canReply: WAITS });
      const [first, second] = served(target);
      const signature = { signature: { type: 'RsaSignature2017' } };
      const passed = (id: string) => ({ ...create({ id, type: 'Note', inReplyTo: target }), ...signature });
      await expectIgnored(server, by('carol', far), passed(first), 'no authorization');
      await deliver(server, by('carol', far), passed(second));
      expect(await parentOf(second)).equal(target);
    });

    it('do not become ancestors until they are approved', async () => {
      const target = await policied({ canReply: WAITS });
      const middle = peer.note('author', 'middle', { inReplyTo: target });
      const leaf = far.note('carol', 'leaf', { inReplyTo: middle });
      expect((await resolve(leaf))?.status).be.a('string');
      expect(await isHere(middle)).equal(false);
      expect(await parentOf(leaf)).equal(null);
    });
  });

  describe('Boosts', () => {
    it('are accepted only with an authorization by the author of the post', async () => {
      const target = await policied({ canAnnounce: WAITS });
      await withoutAsking(() => expectIgnored(server, by('author'), announce(target), 'no authorization'));
      const name = `${peer.origin}/announces/${(made += 1)}`;
      const type = 'AnnounceAuthorization';
      for (const [why, announceAuthorization] of [
        ['at another host', allow(name, target, { type }, peer)],
        ['of another kind', allow(name, target)],
        ['by a neighbour', allow(name, target, { type, attributedTo: `${far.origin}/users/mallory` })],
        ['of another boost', allow(`${peer.origin}/announces/0`, target, { type })],
      ] as const) {
        const boost = announce(target, { id: name, announceAuthorization });
        await expectIgnored(server, by('author'), boost, why);
      }
      const announceAuthorization = allow(name, target, { type });
      await deliver(server, by('author'), announce(target, { id: name, announceAuthorization }));
      expect(await isHere(name)).equal(true);
    });

    it('need no authorization when the policy allows them', async () => {
      for (const target of [
        await policied({ canAnnounce: { automaticApproval: [author] } }),
        await policied({ canReply: WAITS }),
        await policied(undefined),
      ]) {
        const boost = announce(target);
        await withoutAsking(() => deliver(server, by('author'), boost));
        expect(await isHere(boost['id'])).equal(true);
      }
    });
  });

  describe('A revoked authorization', () => {
    const revoke = (authorization: unknown, name = 'carol') => sent(name, 'Delete', authorization, {}, far);

    it('removes the reply or boost that it allowed, when its author revokes it', async () => {
      const target = await policied({ canReply: WAITS, canAnnounce: WAITS });
      const mine = reply(target);
      const replyAuthorization = allow(mine.id, target);
      await deliver(server, by('author'), create({ ...mine, replyAuthorization }));
      const boost = `${peer.origin}/announces/${(made += 1)}`;
      const approvedBy = allow(boost, target, { type: 'AnnounceAuthorization' });
      await deliver(server, by('author'), announce(target, { id: boost, approvedBy }));
      expect([await isHere(mine.id), await isHere(boost)]).deep.equal([true, true]);

      const forged = revoke(replyAuthorization, 'mallory');
      await expectIgnored(server, by('mallory', far), forged, 'by a neighbour');
      await deliver(server, by('carol', far), revoke(replyAuthorization));
      expect([await isHere(mine.id), await isHere(boost)]).deep.equal([false, true]);
      const whole = { type: 'AnnounceAuthorization', id: approvedBy };
      await deliver(server, by('carol', far), revoke(whole));
      expect(await isHere(boost)).equal(false);
      const again = create({ ...mine, replyAuthorization });
      await expectIgnored(server, by('author'), again, 'it was revoked');
    });

    it('removes a reply whose post is not known yet', async () => {
      const target = `${far.origin}/notes/secret`;
      const mine = reply(target);
      const replyAuthorization = allow(mine.id, target);
      await deliver(server, by('author'), create({ ...mine, replyAuthorization }));
      expect(await isHere(mine.id)).equal(true);
      await deliver(server, by('carol', far), revoke(replyAuthorization));
      expect(await isHere(mine.id)).equal(false);
    });

    it('allows nothing that arrives after the revocation', async () => {
      const target = await policied({ canReply: WAITS, canAnnounce: WAITS });
      const mine = reply(target);
      const replyAuthorization = allow(mine.id, target);
      await expectIgnored(server, by('carol', far), revoke(replyAuthorization), 'nothing to remove yet');
      await deliver(server, by('author'), create({ ...mine, replyAuthorization }));
      expect(await isHere(mine.id)).equal(false);
      const boost = `${peer.origin}/announces/${(made += 1)}`;
      const approvedBy = allow(boost, target, { type: 'AnnounceAuthorization' });
      await expectIgnored(server, by('carol', far), revoke(approvedBy), 'nothing to remove yet');
      await deliver(server, by('author'), announce(target, { id: boost, approvedBy }));
      expect(await isHere(boost)).equal(false);
    });

    it('allows nothing when it is revoked while this server fetches it', async () => {
      const target = await policied({ canReply: WAITS });
      const mine = reply(target);
      const path = `/authorizations/${(made += 1)}`;
      const id = `${far.origin}${path}`;
      const document = { id, type: 'ReplyAuthorization', attributedTo: carol };
      const noted = async (): Promise<number> =>
        (await server.app.db.query('select from durable.withdrawn')).length;
      const before = await noted();
      far.put(path, (_req, res) => {
        const answer = async (): Promise<void> => {
          await send(server, by('carol', far), revoke(id));
          await eventually(async () => expect(await noted()).equal(before + 1));
          const whole = { ...document, interactingObject: mine.id, interactionTarget: target };
          res.set('Content-Type', 'application/activity+json').send(JSON.stringify(whole));
        };
        void answer();
      });
      await deliver(server, by('author'), create({ ...mine, replyAuthorization: id }));
      expect(await isHere(mine.id)).equal(false);
    });

    it('removes local interactions that it allowed', async () => {
      const target = await policied({ canReply: WAITS, canAnnounce: WAITS, canLike: WAITS });
      const id = (await resolve(target))?.status ?? '';
      const mine = await as(bob, 'POST', '/api/v1/statuses', { status: 'May I?', in_reply_to_id: id });
      const boost = await as(bob, 'POST', `/api/v1/statuses/${id}/reblog`);
      await as(bob, 'POST', `/api/v1/statuses/${id}/favourite`);
      await server.waitUntilIdle();
      const [like] = await server.app.db.query<{ id: string }>(
        `select id from interaction_requests where kind = 'like' and status_id = $1`,
        [id],
      );
      const names = [mine.uri, boost.uri, `${HERE}/users/bob#likes/${like?.id ?? ''}`];
      const results = names.map((_, index) => `${far.origin}/authorizations/local-${index}`);
      for (const [index, name] of names.entries()) {
        const accept = sent('carol', 'Accept', name, { result: results[index] }, far);
        await deliver(server, by('carol', far), accept);
      }
      const shown = async () => {
        const { favourited, reblogged, replies_count } = await as(bob, 'GET', `/api/v1/statuses/${id}`);
        return { favourited, reblogged, replies_count };
      };
      expect(await shown()).deep.equal({ favourited: true, reblogged: true, replies_count: 1 });
      await deliver(server, by('carol', far), revoke(results[0]));
      expect(await shown()).deep.equal({ favourited: true, reblogged: true, replies_count: 0 });
      const reject = sent('carol', 'Reject', names[1], {}, far);
      await deliver(server, by('carol', far), reject);
      expect(await shown()).deep.equal({ favourited: true, reblogged: false, replies_count: 0 });
      await as(bob, 'POST', `/api/v1/statuses/${id}/unfavourite`);
      await expectIgnored(server, by('carol', far), revoke(results[2]), 'it was removed already');
    });
  });

  describe('Answers of the author to others', () => {
    const answer = (type: string, object: unknown, more: Json) => sent('carol', type, object, more, far);

    it('bring a reply that was refused before', async () => {
      const target = await policied({ canReply: WAITS });
      const name = `heard-${(made += 1)}`;
      const uri = peer.note('author', name, { inReplyTo: target });
      const wrong = allow(`${peer.origin}/replies/0`, target);
      const forged = answer('Accept', uri, { target, result: wrong });
      await expectIgnored(server, by('carol', far), forged, 'an authorization for another reply');
      await expectIgnored(server, by('carol', far), answer('Accept', uri, {}), 'no authorization');
      const result = allow(uri, target);
      const other = sent('mallory', 'Accept', uri, { target, result }, far);
      await expectIgnored(server, by('mallory', far), other, 'by a neighbour');
      const request = { type: 'ReplyRequest', actor: author, object: target, instrument: uri };
      await deliver(server, by('carol', far), answer('Accept', request, { result }));
      expect(await parentOf(uri)).equal(target);
    });

    it('remove a reply that is rejected after its approval', async () => {
      const target = await policied({ canReply: WAITS });
      const mine = reply(target);
      await deliver(server, by('author'), create({ ...mine, replyAuthorization: allow(mine.id, target) }));
      const forged = sent('mallory', 'Reject', mine.id, { target }, far);
      await expectIgnored(server, by('mallory', far), forged, 'by a neighbour');
      await deliver(server, by('carol', far), answer('Reject', mine.id, { target }));
      expect(await isHere(mine.id)).equal(false);
    });
  });
});

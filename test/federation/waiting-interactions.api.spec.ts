import { expect } from 'chai';
import { activity, deliver, expectIgnored, HERE, type Json, PUBLIC } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

describe('Local interactions that wait for approval', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { as, call, resolve } = scene;
  let server: TestServer;
  /** The server of `carol`, whose posts have policies. */
  let far: Peer;
  /** The server of `fan`, an account that follows alice. */
  let peer: Peer;
  let alice: TestUser;
  let bob: TestUser;
  let carol: string;
  let made = 0;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, evil: far, alice, bob } = await scene.start());
    carol = scene.actor('carol', far);
    far.actor('mallory');
    scene.actor('fan');
    await deliver(server, { peer, name: 'fan' }, activity(peer, 'fan', 'Follow', ALICE));
    await scene.follow(bob, 'carol', far);
    await resolve(`${far.origin}/users/mallory`);
    await news();
  });
  after(() => scene.close());

  const news = async (): Promise<{ carol: Json[]; fan: Json[] }> => {
    const { peer: fan, evil } = await scene.news();
    return { carol: evil, fan };
  };
  const only = (activities: readonly Json[]): Json => {
    expect(activities.map(({ type }) => type)).to.have.length(1);
    return activities[0] ?? {};
  };
  const by = (name = 'carol') => ({ peer: far, name });
  const answer = (type: string, object: unknown, more: Json = {}, name = 'carol') =>
    deliver(server, by(name), activity(far, name, type, object, more));
  /** Makes the URI of an authorization by carol. */
  const authorization = () => `${far.origin}/authorizations/${(made += 1)}`;
  const WAITS = { automaticApproval: [], manualApproval: [PUBLIC] };
  /** Serves a post of carol's with this policy and makes it known here. */
  const policied = async (
    interactionPolicy: Json,
    changes: Json = {},
  ): Promise<{ id: string; uri: string }> => {
    const uri = far.note('carol', `policied-${(made += 1)}`, { interactionPolicy, ...changes });
    return { uri, id: (await resolve(uri))?.status ?? '' };
  };
  const reply = (id: string, more: Json = {}) =>
    as(alice, 'POST', '/api/v1/statuses', { status: 'May I?', in_reply_to_id: id, ...more });
  const idsAt = async (user: TestUser, path: string): Promise<string[]> =>
    (await as(user, 'GET', path)).map(({ id }: { id: string }) => id);
  const isServed = async (uri: string): Promise<boolean> => (await scene.fetched(uri)).status === 200;

  describe('Replies', () => {
    it('are shown to their authors alone until they are approved, and then to everyone', async () => {
      const theirs = await policied({ canReply: WAITS });
      const mine = await reply(theirs.id, { status: '@bob may we? #waiting' });
      expect(mine).include({ visibility: 'public', in_reply_to_id: theirs.id });
      const sent = await news();
      expect(sent.fan, 'nothing goes to followers').deep.equal([]);
      const request = only(sent.carol);
      expect(request).deep.include({
        type: 'ReplyRequest',
        id: `${ALICE}#reply_requests/${mine.id}`,
        actor: ALICE,
        to: carol,
        object: theirs.uri,
      });
      expect(request['instrument']).deep.include({
        id: mine.uri,
        type: 'Note',
        inReplyTo: theirs.uri,
        to: [PUBLIC],
        cc: [`${ALICE}/followers`, `${HERE}/users/bob`],
      });
      expect(request['instrument']).not.have.any.keys('replyAuthorization', 'approvedBy');

      const shownTo = async (user: TestUser) => ({
        post: (await call(user, 'GET', `/api/v1/statuses/${mine.id}`)).status === 200,
        context: (await as(user, 'GET', `/api/v1/statuses/${theirs.id}/context`)).descendants.length > 0,
        profile: (await idsAt(user, `/api/v1/accounts/${alice.id}/statuses`)).includes(mine.id),
        tag: (await idsAt(user, '/api/v1/timelines/tag/waiting')).includes(mine.id),
        public: (await idsAt(user, '/api/v1/timelines/public')).includes(mine.id),
        home: (await idsAt(user, '/api/v1/timelines/home')).includes(mine.id),
        told: (await as(user, 'GET', '/api/v1/notifications?types[]=mention')).length > 0,
      });
      const nowhere = { post: false, context: false, profile: false, tag: false };
      const unlisted = { public: false, home: false, told: false };
      expect(await shownTo(bob)).deep.equal({ ...nowhere, ...unlisted });
      const own = { post: true, context: true, profile: true, tag: false, public: false, home: true };
      expect(await shownTo(alice)).deep.equal({ ...own, told: false });
      expect((await as(bob, 'GET', `/api/v1/statuses/${theirs.id}`)).replies_count).equal(0);
      expect(await isServed(mine.uri), 'to other servers').equal(false);

      const result = authorization();
      await answer('Accept', { ...request, instrument: mine.uri }, { result });
      const spread = await news();
      expect(only(spread.fan)).deep.include({ type: 'Create', actor: ALICE });
      expect(only(spread.fan)['object']).deep.include({
        id: mine.uri,
        replyAuthorization: result,
        approvedBy: result,
        inReplyTo: theirs.uri,
      });
      expect(only(spread.carol)).deep.include({ type: 'Create' });
      expect(await shownTo(bob)).deep.equal({
        post: true,
        context: true,
        profile: true,
        tag: true,
        public: false,
        home: false,
        told: true,
      });
      expect(await idsAt(alice, '/api/v1/timelines/home')).include(mine.id);
      expect((await as(bob, 'GET', `/api/v1/statuses/${theirs.id}`)).replies_count).equal(1);
      expect(await isServed(mine.uri), 'to other servers').equal(true);
      const again = activity(far, 'carol', 'Accept', request['id'], { result: authorization() });
      await expectIgnored(server, by(), again, 'a second answer');
    });

    it('are deleted when they are rejected', async () => {
      const theirs = await policied({ canReply: WAITS });
      const mine = await reply(theirs.id);
      const request = only((await news()).carol);
      await answer('Reject', { ...request, instrument: mine.uri });
      expect((await call(alice, 'GET', `/api/v1/statuses/${mine.id}`)).status).equal(404);
      expect(await idsAt(alice, '/api/v1/timelines/home')).not.include(mine.id);
      const late = activity(far, 'carol', 'Accept', request['id'], { result: authorization() });
      await expectIgnored(server, by(), late, 'an answer that comes too late');
      expect(await news()).deep.equal({ carol: [], fan: [] });
    });

    it('are withdrawn at the other server when their author deletes them', async () => {
      const theirs = await policied({ canReply: WAITS });
      const mine = await reply(theirs.id);
      await news();
      expect(await as(alice, 'DELETE', `/api/v1/statuses/${mine.id}`)).include({ text: 'May I?' });
      const { carol: told, fan } = await news();
      expect(only(told)).deep.include({ type: 'Delete', object: { id: mine.uri, type: 'Tombstone' } });
      expect(fan).deep.equal([]);
      expect((await call(alice, 'GET', `/api/v1/statuses/${mine.id}`)).status).equal(404);
    });

    it('are approved by the author of the post alone', async () => {
      const theirs = await policied({ canReply: WAITS });
      const mine = await reply(theirs.id);
      const request = only((await news()).carol);
      const accept = (name: string, object: unknown, more: Json) =>
        activity(far, name, 'Accept', object, more);
      const whole = { ...request, instrument: mine.uri };
      const forgeries: [string, string, unknown, Json][] = [
        ['by a neighbour', 'mallory', whole, { result: authorization() }],
        ['with an authorization elsewhere', 'carol', whole, { result: `${peer.origin}/authorizations/1` }],
        [
          'with an authorization of this server',
          'carol',
          whole,
          { result: `${ALICE}/reply_authorizations/1` },
        ],
        [
          'of another post',
          'carol',
          { ...whole, object: `${far.origin}/notes/0` },
          { result: authorization() },
        ],
        [
          'of another reply',
          'carol',
          { ...whole, instrument: `${ALICE}/statuses/1` },
          { result: authorization() },
        ],
      ];
      for (const [why, name, object, more] of forgeries) {
        await expectIgnored(server, by(name), accept(name, object, more), why);
      }
      const reject = activity(far, 'mallory', 'Reject', whole);
      await expectIgnored(server, by('mallory'), reject, 'a rejection by a neighbour');
      await answer('Accept', mine.uri, { result: authorization() });
      expect((await call(bob, 'GET', `/api/v1/statuses/${mine.id}`)).status).equal(200);
      await news();
    });

    it('are sent without a request to servers that use the older names of policies', async () => {
      const theirs = await policied({ canReply: { always: [carol], approvalRequired: [PUBLIC] } });
      const mine = await reply(theirs.id);
      const sent = await news();
      expect(sent.fan).deep.equal([]);
      expect(only(sent.carol)).deep.include({ type: 'Create', id: `${mine.uri}/activity` });
      const accept = activity(far, 'carol', 'Accept', { type: 'Note', id: mine.uri });
      await deliver(server, by(), accept);
      expect(only((await news()).fan)['object']).deep.include({ approvedBy: accept['id'] });
    });

    it('get their poll once they are approved', async () => {
      const theirs = await policied({ canReply: WAITS });
      const mine = await reply(theirs.id, { poll: { options: ['Yes', 'No'], expires_in: 600 } });
      expect(mine.poll).equal(null);
      await news();
      await answer('Accept', mine.uri, { result: authorization() });
      const { poll } = await as(bob, 'GET', `/api/v1/statuses/${mine.id}`);
      await as(bob, 'POST', `/api/v1/polls/${poll.id}/votes`, { choices: [0] });
      expect((await as(alice, 'GET', `/api/v1/polls/${poll.id}`)).votes_count).equal(1);
      await news();
    });

    it('can be neither edited nor replied to while they wait', async () => {
      const theirs = await policied({ canReply: WAITS });
      const mine = await reply(theirs.id);
      await news();
      const edit = await call(alice, 'PUT', `/api/v1/statuses/${mine.id}`, { status: 'Please?' });
      expect(edit.status).equal(422);
      expect((edit.body as Json)['error']).match(/waits for the approval/);
      const body = { status: 'More', in_reply_to_id: mine.id };
      const below = await call(alice, 'POST', '/api/v1/statuses', body);
      expect(below.status).equal(422);
      expect((below.body as Json)['error']).match(/waits for the approval/);
      expect(await news()).deep.equal({ carol: [], fan: [] });
    });

    it('wait also when the policy names a collection, which only the other server can check', async () => {
      const theirs = await policied({ canReply: { automaticApproval: [`${carol}/followers`] } });
      const body = { status: 'May I?', in_reply_to_id: theirs.id };
      const refused = await call(alice, 'POST', '/api/v1/statuses', body);
      expect(refused.status, 'no follower').equal(422);
      await as(bob, 'POST', '/api/v1/statuses', body);
      expect(only((await news()).carol)).include({ type: 'ReplyRequest' });
    });

    it('need no approval when the post mentions the user or the policy allows everyone', async () => {
      const mention = { tag: [{ type: 'Mention', href: ALICE }], cc: [ALICE] };
      for (const { id } of [
        await policied({ canReply: WAITS }, mention),
        await policied({ canReply: { automaticApproval: PUBLIC } }),
        await policied({ canReply: {} }),
        await policied({ canReply: { automaticApproval: [ALICE], manualApproval: [PUBLIC] } }),
      ]) {
        await reply(id);
        const { carol: told, fan } = await news();
        expect([...told, ...fan].map(({ type }) => type)).deep.equal(['Create', 'Create']);
      }
    });
  });

  describe('Favourites', () => {
    it('count once they are approved', async () => {
      const theirs = await policied({ canLike: WAITS });
      expect(await as(alice, 'POST', `/api/v1/statuses/${theirs.id}/favourite`)).include({
        favourited: true,
        favourites_count: 0,
      });
      const request = only((await news()).carol);
      expect(request).deep.include({ type: 'LikeRequest', actor: ALICE, to: carol, object: theirs.uri });
      const like = request['instrument'] as Json;
      expect(like).include({ type: 'Like', actor: ALICE, object: theirs.uri });
      expect(await as(bob, 'GET', `/api/v1/statuses/${theirs.id}/favourited_by`)).deep.equal([]);
      await as(alice, 'POST', `/api/v1/statuses/${theirs.id}/favourite`);
      expect(await news(), 'again').deep.equal({ carol: [], fan: [] });

      const result = authorization();
      await answer('Accept', { ...request, instrument: like['id'] }, { result });
      expect(only((await news()).carol)).include({
        type: 'Like',
        id: like['id'],
        likeAuthorization: result,
        approvedBy: result,
      });
      expect(await as(alice, 'GET', `/api/v1/statuses/${theirs.id}`)).include({
        favourited: true,
        favourites_count: 1,
      });
      await as(alice, 'POST', `/api/v1/statuses/${theirs.id}/unfavourite`);
      expect(only((await news()).carol)).include({ type: 'Undo' });
    });

    it('are removed when they are rejected or withdrawn', async () => {
      const theirs = await policied({ canLike: WAITS });
      const favourite = async () => {
        await as(alice, 'POST', `/api/v1/statuses/${theirs.id}/favourite`);
        return only((await news()).carol)['instrument'] as Json;
      };
      const first = await favourite();
      await answer('Reject', first['id']);
      expect(await as(alice, 'GET', `/api/v1/statuses/${theirs.id}`)).include({ favourited: false });
      expect((await news()).carol).deep.equal([]);
      const second = await favourite();
      expect(second['id']).not.equal(first['id']);
      const late = activity(far, 'carol', 'Accept', first['id'], { result: authorization() });
      await expectIgnored(server, by(), late, 'the answer to the first one');
      const body = await as(alice, 'POST', `/api/v1/statuses/${theirs.id}/unfavourite`);
      expect(body).include({ favourited: false, favourites_count: 0 });
      const undo = only((await news()).carol);
      expect(undo).include({ type: 'Undo' });
      expect(undo['object']).include({ id: second['id'] });
    });
  });

  describe('Boosts', () => {
    it('are shown to their authors alone until they are approved', async () => {
      const theirs = await policied({ canAnnounce: WAITS });
      const boost = await as(alice, 'POST', `/api/v1/statuses/${theirs.id}/reblog`);
      expect(boost.reblog).include({ id: theirs.id, reblogged: true, reblogs_count: 0 });
      const sent = await news();
      expect(sent.fan).deep.equal([]);
      const request = only(sent.carol);
      expect(request).deep.include({ type: 'AnnounceRequest', actor: ALICE, to: carol, object: theirs.uri });
      const announce = request['instrument'] as Json;
      expect(announce).deep.include({ type: 'Announce', object: theirs.uri, to: [PUBLIC] });
      expect(await idsAt(alice, '/api/v1/timelines/home')).include(boost.id);
      expect(await idsAt(bob, `/api/v1/accounts/${alice.id}/statuses`)).not.include(boost.id);
      expect(await idsAt(bob, `/api/v1/statuses/${theirs.id}/reblogged_by`)).deep.equal([]);
      const again = await as(alice, 'POST', `/api/v1/statuses/${theirs.id}/reblog`);
      expect(again.id).equal(boost.id);

      const result = authorization();
      await answer('Accept', announce['id'], { result });
      const spread = await news();
      expect(only(spread.fan)).include({
        type: 'Announce',
        announceAuthorization: result,
        approvedBy: result,
      });
      expect(await idsAt(bob, `/api/v1/accounts/${alice.id}/statuses`)).include(boost.id);
      expect(await as(bob, 'GET', `/api/v1/statuses/${theirs.id}`)).include({ reblogs_count: 1 });
      expect(await idsAt(alice, '/api/v1/timelines/home')).include(boost.id);
    });

    it('are removed when they are rejected or withdrawn', async () => {
      const theirs = await policied({ canAnnounce: WAITS });
      const first = await as(alice, 'POST', `/api/v1/statuses/${theirs.id}/reblog`);
      await answer('Reject', only((await news()).carol));
      expect((await call(alice, 'GET', `/api/v1/statuses/${first.id}`)).status).equal(404);
      expect(await as(alice, 'GET', `/api/v1/statuses/${theirs.id}`)).include({ reblogged: false });
      const second = await as(alice, 'POST', `/api/v1/statuses/${theirs.id}/reblog`);
      expect(second.id).not.equal(first.id);
      await news();
      const undone = await as(alice, 'POST', `/api/v1/statuses/${theirs.id}/unreblog`);
      expect(undone).include({ reblogged: false, reblogs_count: 0 });
      const { carol: told, fan } = await news();
      expect(only(told)).include({ type: 'Undo' });
      expect(fan).deep.equal([]);
    });
  });

  it('are refused before anything is recorded when the policy forbids them', async () => {
    const nobody = { automaticApproval: carol };
    const { id } = await policied({ canReply: nobody, canLike: nobody, canAnnounce: nobody });
    const before = await server.app.log.head();
    for (const [path, body, status, error] of [
      [
        `/api/v1/statuses/${id}/favourite`,
        {},
        403,
        'The author of this post does not allow you to favourite it',
      ],
      [`/api/v1/statuses/${id}/reblog`, {}, 403, 'The author of this post does not allow you to boost it'],
      [
        '/api/v1/statuses',
        { status: 'Hello', in_reply_to_id: id },
        422,
        'Validation failed: The author of this post does not allow you to reply to it',
      ],
    ] as const) {
      const refused = await call(alice, 'POST', path, body);
      expect(refused.status, path).equal(status);
      expect(refused.body).deep.equal({ error });
    }
    expect(await server.app.log.head()).equal(before);
    await as(alice, 'POST', `/api/v1/statuses/${id}/bookmark`);
    expect(await news()).deep.equal({ carol: [], fan: [] });
  });

  it('follow the latest policy of the post', async () => {
    const object: Json = {
      id: `${far.origin}/notes/changing`,
      type: 'Note',
      attributedTo: carol,
      content: '<p>Hm</p>',
      published: '2026-11-20T08:00:00Z',
      to: [PUBLIC],
      interactionPolicy: { canLike: WAITS },
    };
    await answer('Create', object);
    const id = (await resolve(String(object['id'])))?.status ?? '';
    const { interactionPolicy: _, ...open } = object;
    await answer('Update', { ...open, updated: '2026-11-20T09:00:00Z' });
    await as(alice, 'POST', `/api/v1/statuses/${id}/favourite`);
    expect(only((await news()).carol)).include({ type: 'Like' });
    await answer('Update', object);
    await as(bob, 'POST', `/api/v1/statuses/${id}/favourite`);
    expect(only((await news()).carol)).include({ type: 'LikeRequest' });
    const same = activity(far, 'carol', 'Update', object);
    await expectIgnored(server, by(), same, 'an update that changes nothing');
  });
});

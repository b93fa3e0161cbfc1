import { expect } from 'chai';
import { decideUnfollow, relationship } from '#commands/relationships/index.ts';
import { status } from '#commands/statuses/index.ts';
import { type PollEvent, voteStream } from '#events/polls.ts';
import { relationshipStream } from '#events/relationships.ts';
import { type StatusEvent, statusStream } from '#events/statuses.ts';
import { federateEvent, federatePollResults } from '#interfaces/federation/outbox/index.ts';
import { letFollow } from '../support/remote.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { delivered, ORIGIN, PUBLIC, type RemoteAccount, type RemoteServer } from './remote-server.ts';
import { ALICE, FOLLOWERS, Scene, toFollowers } from './scene.ts';

describe('Outgoing deliveries', function () {
  this.timeout(60_000);
  let scene: Scene;
  let server: TestServer;
  let far: RemoteServer;
  let wide: RemoteServer;
  let alice: TestUser;
  let bob: TestUser;
  let fan: RemoteAccount;
  let fan2: RemoteAccount;
  let loner: RemoteAccount;
  let stranger: RemoteAccount;

  before(async function () {
    this.timeout(120_000);
    scene = await Scene.start();
    ({ server, alice, bob } = scene);
  });
  after(() => scene.close());

  const call: Scene['call'] = (...given) => scene.call(...given);
  const post: Scene['post'] = (...given) => scene.post(...given);
  const happen: Scene['happen'] = (...given) => scene.happen(...given);
  const arrived = (): Promise<string[]> => scene.arrived();
  const only: Scene['only'] = (...given) => scene.only(...given);
  const count = async (table: string): Promise<number> =>
    (await server.app.db.query<{ n: number }>(`select count(*)::int as n from durable.${table}`))[0]?.n ?? 0;

  it('queue nothing while no account of another server is known or follows', async () => {
    expect(server.app.federation.deliveries.none).equal(true);
    await post(alice, { status: 'Hello, town' });
    await server.waitUntilIdle();
    expect(await count('federation_activities')).equal(0);
    await scene.meet();
    ({ far, wide, fan, fan2, loner, stranger } = scene);
    expect(server.app.federation.deliveries.none).equal(false);
    await post(alice, { status: 'Hello, world' });
    await server.waitUntilIdle();
    expect(await count('federation_activities'), 'no remote account follows yet').equal(0);
  });

  describe('for follows', () => {
    it('send a Follow, and an Undo with the same Follow inside', async () => {
      await call('POST', `/api/v1/accounts/${fan.id}/follow`, bob);
      const actor = `${ORIGIN}/users/bob`;
      const context = 'https://www.w3.org/ns/activitystreams';
      const { id, ...rest } = await only();
      expect(id).match(new RegExp(`^${actor}#follows/${fan.id}/[0-9]+$`));
      expect(rest).deep.equal({ '@context': context, type: 'Follow', actor, object: fan.uri });
      const asked = { id, type: 'Follow', actor, object: fan.uri };
      await call('POST', `/api/v1/accounts/${fan.id}/unfollow`, bob);
      const undone = await only();
      expect(undone).deep.equal({
        '@context': context,
        id: `${asked.id}/undo`,
        type: 'Undo',
        actor,
        object: asked,
      });
    });

    it('accept a follow of an unlocked account immediately, and of a locked one when its owner answers', async () => {
      await letFollow(server.app, fan.id, alice.id);
      const accepted = await only();
      expect(accepted).deep.include({
        type: 'Accept',
        actor: ALICE,
        object: { type: 'Follow', actor: fan.uri, object: ALICE },
      });
      await happen(bob.id, { type: 'AccountUpdated', data: { id: bob.id, locked: true } });
      await letFollow(server.app, fan.id, bob.id);
      expect(await arrived()).deep.equal([]);
      await call('POST', `/api/v1/follow_requests/${fan.id}/authorize`, bob);
      expect(await only()).deep.include({ type: 'Accept', actor: `${ORIGIN}/users/bob` });
      await letFollow(server.app, loner.id, bob.id);
      await call('POST', `/api/v1/follow_requests/${loner.id}/reject`, bob);
      expect(await arrived()).deep.equal(['wide.example/users/loner/inbox Reject']);
    });

    it('send a Reject when a user removes or blocks a follower, then Block and its Undo', async () => {
      await call('POST', `/api/v1/accounts/${fan.id}/remove_from_followers`, bob);
      expect(await only()).deep.include({
        type: 'Reject',
        actor: `${ORIGIN}/users/bob`,
        object: { type: 'Follow', actor: fan.uri, object: `${ORIGIN}/users/bob` },
      });
      await happen(bob.id, { type: 'AccountUpdated', data: { id: bob.id, locked: false } });
      await letFollow(server.app, fan.id, bob.id);
      expect(await arrived()).deep.equal(['far.example/users/fan/inbox Accept']);
      await call('POST', `/api/v1/accounts/${fan.id}/block`, bob);
      await delivered(server);
      const [rejected, blocked] = far.news().map(({ activity }) => activity);
      expect(rejected.type, 'in their order').equal('Reject');
      const block = { type: 'Block', object: fan.uri };
      expect(blocked).deep.include(block);
      await call('POST', `/api/v1/accounts/${fan.id}/unblock`, bob);
      const { object } = await only();
      expect(object).deep.equal({ ...block, actor: `${ORIGIN}/users/bob`, id: blocked.id });
    });

    it('give every activity a new id, because many servers drop ids that they know', async () => {
      const names: string[] = [];
      const named = async (): Promise<void> => {
        await delivered(server);
        names.push(...far.news().map(({ activity }) => activity.id as string));
      };
      for (const _ of [1, 2]) {
        await call('POST', `/api/v1/accounts/${fan2.id}/follow`, bob);
        await named();
        await call('POST', `/api/v1/accounts/${fan2.id}/unfollow`, bob);
        await named();
        await letFollow(server.app, fan2.id, bob.id);
        await named();
        await call('POST', `/api/v1/accounts/${fan2.id}/remove_from_followers`, bob);
        await named();
        await call('POST', `/api/v1/accounts/${fan2.id}/block`, bob);
        await named();
        await call('POST', `/api/v1/accounts/${fan2.id}/unblock`, bob);
        await named();
      }
      expect(names).to.have.length(12);
      expect([...new Set(names)]).deep.equal(names);
    });

    it('send nothing back when the other server ended the follow', async () => {
      await letFollow(server.app, fan.id, bob.id);
      await arrived();
      await server.app
        .systemContext('federation')
        .execute(relationshipStream(fan.id, bob.id), relationship, (state) =>
          decideUnfollow(state, { account_id: fan.id, target_account_id: bob.id }),
        );
      expect(await arrived()).deep.equal([]);
    });
  });

  describe('for posts', () => {
    before(async () => {
      await letFollow(server.app, fan2.id, alice.id);
      await letFollow(server.app, loner.id, alice.id);
      await arrived();
    });

    it('send a post, its edit and its deletion once to each inbox of followers', async () => {
      const { id, uri } = await post(alice, { status: 'Hello #World' });
      await delivered(server);
      const [news] = far.arrivals;
      expect(news?.activity).deep.include({
        id: `${uri}/activity`,
        type: 'Create',
        actor: ALICE,
        to: [PUBLIC],
        cc: [`${ALICE}/followers`],
      });
      expect(news?.activity['@context']).to.have.length(3);
      expect(news?.activity.object).deep.include({ id: uri, type: 'Note', attributedTo: ALICE });
      expect(news?.activity.object.content).contain('Hello');
      expect(await arrived()).deep.equal(toFollowers('Create'));

      await call('PUT', `/api/v1/statuses/${id}`, alice, { status: 'Hello again' });
      await delivered(server);
      const [change] = far.arrivals;
      expect(change?.activity).deep.include({ type: 'Update', actor: ALICE, to: [PUBLIC] });
      expect(change?.activity.id).match(new RegExp(`^${uri}#updates/[0-9]+$`));
      expect(change?.activity.object.content).contain('Hello again');
      expect(change?.activity.object).to.have.property('updated');
      expect(await arrived()).deep.equal(toFollowers('Update'));

      await call('DELETE', `/api/v1/statuses/${id}`, alice);
      await delivered(server);
      expect(far.arrivals[0]?.activity).deep.include({
        id: `${uri}#delete`,
        type: 'Delete',
        actor: ALICE,
        to: [PUBLIC],
        object: { id: uri, type: 'Tombstone' },
      });
      expect(await arrived()).deep.equal(toFollowers('Delete'));
    });

    it('send edits and deletions by staff in the name of the author', async () => {
      const mod = await server.user('mod', { role: 'Moderator', scopes: ['admin:write'] });
      const { id, uri } = await post(alice, { status: 'Eggs for sale' });
      await arrived();
      await call('POST', `/api/v1/admin/statuses/${id}/mark_as_sensitive`, mod);
      await delivered(server);
      const [change] = far.arrivals;
      expect(change?.activity).deep.include({ type: 'Update', actor: ALICE });
      expect(change?.activity.object).deep.include({ id: uri, sensitive: true });
      expect(change?.activity.object).to.have.property('updated');
      expect(await arrived()).deep.equal(toFollowers('Update'));
      await call('POST', `/api/v1/admin/statuses/${id}/delete`, mod);
      expect(await arrived()).deep.equal(toFollowers('Delete'));
    });

    it('address a post by its visibility, and reach no other inbox', async () => {
      const expected: Record<string, string[]> = {
        public: [...FOLLOWERS, 'wide.example/inbox'],
        unlisted: [...FOLLOWERS, 'wide.example/inbox'],
        private: [...FOLLOWERS, 'wide.example/inbox'],
        direct: ['wide.example/inbox'],
      };
      for (const [visibility, inboxes] of Object.entries(expected)) {
        const { id } = await post(alice, { status: '@stranger@wide.example psst', visibility });
        await delivered(server);
        const activity = wide.arrivals.find(({ inbox }) => inbox === '/inbox')?.activity;
        const followers = `${ALICE}/followers`;
        expect({ to: activity.to, cc: activity.cc }, visibility).deep.equal(
          {
            public: { to: [PUBLIC], cc: [followers, stranger.uri] },
            unlisted: { to: [followers], cc: [PUBLIC, stranger.uri] },
            private: { to: [followers], cc: [stranger.uri] },
            direct: { to: [stranger.uri], cc: [] },
          }[visibility],
        );
        expect(activity.object.to).deep.equal(activity.to);
        expect(await arrived(), visibility).deep.equal(inboxes.map((inbox) => `${inbox} Create`).sort());
        await call('DELETE', `/api/v1/statuses/${id}`, alice);
        expect(await arrived(), `deleted ${visibility}`).deep.equal(
          inboxes.map((inbox) => `${inbox} Delete`).sort(),
        );
      }
      await post(alice, { status: '@alice To nobody else', visibility: 'direct' });
      expect(await arrived()).deep.equal([]);
    });

    it('send the deletion where the post went, even when the followers have changed', async () => {
      const { id } = await post(alice, { status: 'Soon gone', visibility: 'private' });
      await arrived();
      await call('POST', `/api/v1/accounts/${loner.id}/remove_from_followers`, alice);
      await letFollow(server.app, stranger.id, alice.id);
      await arrived();
      await call('DELETE', `/api/v1/statuses/${id}`, alice);
      expect(await arrived()).deep.equal(toFollowers('Delete'));
      await call('POST', `/api/v1/accounts/${stranger.id}/remove_from_followers`, alice);
      await letFollow(server.app, loner.id, alice.id);
      await arrived();
    });

    it('send a reply to the server of the author it answers, unless it is for followers only', async () => {
      const theirs = await wide.post(stranger, 'question');
      await post(bob, { status: 'An answer', in_reply_to_id: theirs.id });
      const answer = await only(wide);
      expect(answer.object.inReplyTo).equal(theirs.uri);
      await post(bob, { status: 'Among us', in_reply_to_id: theirs.id, visibility: 'private' });
      expect(await arrived()).deep.equal([]);
    });

    it('send nothing to accounts and servers that the author blocked', async () => {
      await call('POST', `/api/v1/accounts/${stranger.id}/block`, bob);
      await arrived();
      await post(bob, { status: '@stranger@wide.example are you there?' });
      await server.waitUntilIdle();
      await call('POST', `/api/v1/accounts/${stranger.id}/unblock`, bob);
      expect(await arrived()).deep.equal(['wide.example/users/stranger/inbox Undo']);
      await call('POST', '/api/v1/domain_blocks', bob, { domain: 'wide.example' });
      await post(bob, { status: '@stranger@wide.example and now?' });
      await server.waitUntilIdle();
      await call('DELETE', '/api/v1/domain_blocks?domain=wide.example', bob);
      expect(await arrived()).deep.equal([]);
    });

    it('announce that a post was pinned or unpinned, except for followers-only posts', async () => {
      const { id, uri } = await post(alice, { status: 'Read this first' });
      await arrived();
      await call('POST', `/api/v1/statuses/${id}/pin`, alice);
      await delivered(server);
      expect(far.arrivals[0]?.activity).deep.include({
        type: 'Add',
        actor: ALICE,
        object: uri,
        target: `${ALICE}/collections/featured`,
      });
      expect(await arrived()).deep.equal(toFollowers('Add'));
      await call('POST', `/api/v1/statuses/${id}/unpin`, alice);
      expect(await arrived()).deep.equal(toFollowers('Remove'));
      const secret = await post(alice, { status: 'Just us', visibility: 'private' });
      await arrived();
      await call('POST', `/api/v1/statuses/${secret.id}/pin`, alice);
      expect(await arrived()).deep.equal([]);
    });

    it('queue an activity once, however often its event is handled', async () => {
      const { id } = await post(alice, { status: 'Once only' });
      expect(await arrived()).deep.equal(toFollowers('Create'));
      const [event] = await server.app.log.readStream(statusStream(id));
      const options = { signal: new AbortController().signal };
      await federateEvent(server.app.systemContext('spec'), event as never, options);
      expect(await arrived()).deep.equal([]);
    });

    it('send new poll results some time after a vote, and when the poll ends', async () => {
      const poll = { options: ['Yes', 'No'], expires_in: 300 };
      const { id, uri } = await post(alice, { status: 'Well?', poll });
      const { poll: asked } = await call('GET', `/api/v1/statuses/${id}`, alice);
      const poll_id = String(asked.id);
      await arrived();
      const vote = (by: string, choice: number) =>
        server.app
          .systemContext('spec')
          .execute(voteStream(poll_id, by), { initialState: null, evolve: () => null }, (): PollEvent[] => [
            {
              type: 'VoteCast',
              data: {
                id: by,
                poll_id,
                status_id: id,
                account_id: by,
                choices: [choice],
                cast_at: new Date().toISOString(),
              },
            },
          ]);
      await call('POST', `/api/v1/polls/${poll_id}/votes`, bob, { choices: ['0'] });
      // No activity brought the post to this server: it looked the post up.
      await vote(stranger.id, 1);
      expect(await arrived(), 'not immediately').deep.equal([]);
      const jobs = await server.app.db.query<{ data: object; waits: boolean }>(
        `select data, start_after > now() + interval '2 minutes' as waits from jobs.job where name = 'poll-results'`,
      );
      expect(jobs, 'one job for all votes').deep.equal([{ data: { status_id: id }, waits: true }]);
      const tell = () => federatePollResults(server.app.systemContext('spec'), id);
      await tell();
      await delivered(server);
      const { activity } = far.arrivals[0] ?? {};
      expect(activity).deep.include({ type: 'Update', actor: ALICE });
      expect(activity.object).deep.include({ id: uri, type: 'Question', votersCount: 2 });
      const counts = (question: { oneOf: { replies: { totalItems: number } }[] }) =>
        question.oneOf.map(({ replies }) => replies.totalItems);
      expect(counts(activity.object)).deep.equal([1, 1]);
      const everybody = [...toFollowers('Update'), 'wide.example/inbox Update'].sort();
      expect(await arrived()).deep.equal(everybody);
      await tell();
      expect(await arrived(), 'nothing new').deep.equal([]);
      const over = { id, account_id: alice.id, poll_id, close_id: '1', closed_at: new Date().toISOString() };
      const closed: StatusEvent = { type: 'PollClosed', data: over };
      await server.app.systemContext('spec').execute(statusStream(id), status, () => [closed]);
      expect(await arrived()).deep.equal(everybody);
      await vote(fan2.id, 0);
      await tell();
      expect(await arrived(), 'the poll has ended').deep.equal([]);
    });

    it('leave a receipt for each inbox', async () => {
      const { id } = await post(alice, { status: 'Who has it?' });
      await arrived();
      const receipts = await server.app.db.query<{ inbox: string; delivered: boolean }>(
        `select inbox, delivered_at is not null as delivered from durable.federation_receipts
         where status_id = $1 order by inbox`,
        [id],
      );
      expect(receipts).deep.equal(
        [`${far.peer.origin}/inbox`, `${wide.peer.origin}/users/loner/inbox`]
          .sort()
          .map((inbox) => ({ inbox, delivered: true })),
      );
    });
  });

  describe('for interactions with remote posts', () => {
    it('send favourites to the author, and reblogs to the author and to followers', async () => {
      const theirs = await wide.post(stranger, 'likeable');
      const names: string[] = [];
      for (const _ of [1, 2]) {
        await call('POST', `/api/v1/statuses/${theirs.id}/favourite`, alice);
        const { '@context': __, ...like } = await only(wide);
        expect(like).deep.include({ type: 'Like', actor: ALICE, object: theirs.uri });
        await call('POST', `/api/v1/statuses/${theirs.id}/unfavourite`, alice);
        const undone = await only(wide);
        expect(undone).deep.include({ type: 'Undo', actor: ALICE, object: like });
        names.push(like.id, undone.id);
      }
      expect([...new Set(names)], 'a new id each time').deep.equal(names);

      const { uri } = await call('POST', `/api/v1/statuses/${theirs.id}/reblog`, alice);
      await delivered(server);
      expect(far.arrivals[0]?.activity).deep.include({
        id: uri,
        type: 'Announce',
        actor: ALICE,
        object: theirs.uri,
        to: [PUBLIC],
        cc: [stranger.uri, `${ALICE}/followers`],
      });
      const everybody = [...FOLLOWERS, 'wide.example/inbox'].sort();
      expect(await arrived()).deep.equal(everybody.map((inbox) => `${inbox} Announce`).sort());
      await call('POST', `/api/v1/statuses/${theirs.id}/unreblog`, alice);
      await delivered(server);
      expect(far.arrivals[0]?.activity.object).deep.include({ id: uri, type: 'Announce' });
      expect(await arrived()).deep.equal(everybody.map((inbox) => `${inbox} Undo`).sort());
    });

    it("send a reblog of one's own followers-only post to followers alone, with the post inside", async () => {
      const own = await post(alice, { status: 'For friends', visibility: 'private' });
      await arrived();
      const { uri, reblog } = await call('POST', `/api/v1/statuses/${own.id}/reblog`, alice);
      await delivered(server);
      const { activity } = far.arrivals[0] ?? {};
      expect(activity).deep.include({ id: uri, type: 'Announce', to: [`${ALICE}/followers`] });
      expect(activity.object).deep.include({
        id: own.uri,
        type: 'Note',
        attributedTo: ALICE,
        to: [`${ALICE}/followers`],
        content: reblog.content,
      });
      expect(await arrived()).deep.equal(toFollowers('Announce'));
      await call('POST', `/api/v1/statuses/${own.id}/unreblog`, alice);
      expect(await arrived()).deep.equal(toFollowers('Undo'));
      const outbox = await server.call('GET', '/users/alice/outbox?page=true');
      expect(JSON.stringify(outbox.body)).not.contain(own.id);
    });

    it('send the end of a reblog to the author even without receipts', async () => {
      const theirs = await wide.post(stranger, 'forgotten');
      await call('POST', `/api/v1/statuses/${theirs.id}/reblog`, bob);
      expect(await arrived()).contain('wide.example/inbox Announce');
      await server.app.db.query('delete from durable.federation_receipts');
      await call('POST', `/api/v1/statuses/${theirs.id}/unreblog`, bob);
      expect(await arrived()).deep.equal(['wide.example/inbox Undo']);
    });

    it('send nothing about a local post', async () => {
      const ours = await post(bob, { status: 'Local news' });
      await call('POST', `/api/v1/statuses/${ours.id}/favourite`, alice);
      expect(await arrived()).deep.equal([]);
    });

    it('send one note for each choice in a poll', async () => {
      const poll = {
        id: server.app.systemContext('spec').newId(),
        options: ['Yes', 'No', 'Both'],
        multiple: true,
        hide_totals: false,
        expires_at: null,
      };
      const { uri } = await wide.post(stranger, 'poll', { poll });
      await call('POST', `/api/v1/polls/${poll.id}/votes`, alice, { choices: ['0', '2'] });
      await delivered(server);
      const notes = wide.news().map(({ inbox, activity }) => ({ inbox, ...activity.object }));
      expect(notes.map(({ name }) => name as string)).deep.equal(['Yes', 'Both']);
      expect(notes[0]).deep.include({
        inbox: '/users/stranger/inbox',
        type: 'Note',
        attributedTo: ALICE,
        to: stranger.uri,
        inReplyTo: uri,
      });
      expect(notes[0]).not.have.property('content');
    });

    it('forward a report in the name of the server, without the reporter', async () => {
      const theirs = await wide.post(stranger, 'reported');
      await call('POST', '/api/v1/reports', alice, {
        account_id: stranger.id,
        status_ids: [theirs.id],
        comment: 'Look at this',
        forward: true,
      });
      const flag = await only(wide);
      expect(flag).deep.include({
        type: 'Flag',
        actor: `${ORIGIN}/actor`,
        content: 'Look at this',
        object: [stranger.uri, theirs.uri],
      });
      expect(JSON.stringify(flag)).not.contain('alice');
      await call('POST', '/api/v1/reports', alice, { account_id: stranger.id, comment: 'Just for you' });
      expect(await arrived()).deep.equal([]);
    });
  });
});

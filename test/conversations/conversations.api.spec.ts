import { expect } from 'chai';
import type { Conversation } from '#mastodon/schemas/index.ts';
import { type Client, describeTown, ok, type Person } from '../support/people.ts';
import { statementsOfRequests } from '../support/statements.ts';

describeTown('Conversations', (town) => {
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let count = 0;
  before(async function () {
    this.timeout(120_000);
  });
  beforeEach(async () => {
    count += 1;
    alice = await town.person(`alice${count}`);
    bob = await town.person(`bob${count}`);
    carol = await town.person(`carol${count}`);
    for (const [one, other] of [
      [alice, bob],
      [alice, carol],
      [bob, alice],
      [bob, carol],
      [carol, alice],
      [carol, bob],
    ] as const) {
      await ok(one.post(`/api/v1/accounts/${other.id}/follow`));
    }
  });

  const write = async (from: Person, to: readonly Person[], more: object = {}): Promise<string> => {
    const status = `${to.map(({ username }) => `@${username}`).join(' ')} psst`;
    const posted = ok<{ id: string }>(
      from.post('/api/v1/statuses', { status, visibility: 'direct', ...more }),
    );
    return (await posted).id;
  };
  const listOf = (who: Client, query = ''): Promise<Conversation[]> =>
    ok<Conversation[]>(who.get(`/api/v1/conversations${query}`));
  const onlyOne = async (who: Client): Promise<Conversation> => {
    const [one, ...others] = await listOf(who);
    expect(others).to.deep.equal([]);
    if (!one) throw new Error('There is no conversation');
    return one;
  };

  it('start with a direct post, for its author and everyone that it mentions', async () => {
    const id = await write(alice, [bob, carol]);
    const mine = await onlyOne(alice);
    expect(mine.unread).to.equal(false);
    expect(mine.accounts.map((account) => account.id)).to.have.members([bob.id, carol.id]);
    expect(mine.last_status?.id).to.equal(id);
    expect(mine.last_status?.account.id).to.equal(alice.id);
    const theirs = await onlyOne(bob);
    expect(theirs.unread).to.equal(true);
    expect(theirs.accounts.map((account) => account.id)).to.have.members([alice.id, carol.id]);
    expect(theirs.last_status).to.deep.include({ id, visibility: 'direct' });
  });

  describe('with a stranger', () => {
    let stranger: Person;
    beforeEach(async () => {
      stranger = await town.person(`stranger${count}`);
    });
    const requests = async (who: Person): Promise<string[]> => {
      await town.waitUntilIdle();
      return (await ok<{ id: string }[]>(who.get('/api/v1/notifications/requests'))).map(({ id }) => id);
    };

    it('are hidden until the reader accepts the request', async () => {
      await write(stranger, [bob]);
      const newest = await write(stranger, [bob]);
      expect(await listOf(bob)).to.deep.equal([]);
      expect((await listOf(stranger))[0]?.last_status?.id).to.equal(newest);
      const [request = ''] = await requests(bob);
      await ok(bob.post(`/api/v1/notifications/requests/${request}/accept`));
      await town.waitUntilIdle();
      const shown = await listOf(bob);
      expect(shown.map(({ last_status, unread }) => [last_status?.id, unread])).to.deep.include([
        newest,
        true,
      ]);
      const next = await write(stranger, [bob]);
      expect((await listOf(bob))[0]?.last_status?.id).to.equal(next);
    });

    it('are not shown after the reader dismissed the request, or while the policy drops private mentions', async () => {
      await write(stranger, [bob]);
      const [request = ''] = await requests(bob);
      await ok(bob.post(`/api/v1/notifications/requests/${request}/dismiss`));
      await ok(bob.patch('/api/v2/notifications/policy', { for_private_mentions: 'drop' }));
      await town.waitUntilIdle();
      const id = await write(stranger, [bob]);
      await ok(stranger.put(`/api/v1/statuses/${id}`, { status: `@${bob.username} hey` }));
      expect(await listOf(bob)).to.deep.equal([]);
      await ok(bob.patch('/api/v2/notifications/policy', { for_private_mentions: 'accept' }));
      await town.waitUntilIdle();
      const last = await write(stranger, [bob]);
      expect((await onlyOne(bob)).last_status?.id).to.equal(last);
    });

    it('are shown at once when the stranger is a staff member with a higher role than the reader', async () => {
      const moderator = await town.staff(`mod${count}`, 'Moderator');
      const id = await write(moderator, [bob]);
      expect((await onlyOne(bob)).last_status?.id).to.equal(id);
      expect(await requests(bob)).to.deep.equal([]);
      const owner = await town.staff(`owner${count}`, 'Owner');
      await write(moderator, [owner]);
      expect(await listOf(owner)).to.deep.equal([]);
      expect(await requests(owner)).to.have.length(1);
    });

    it('are shown at once when the stranger answers a direct post of the reader', async () => {
      const first = await write(bob, [stranger]);
      const answer = await write(stranger, [bob], { in_reply_to_id: first });
      expect((await onlyOne(bob)).last_status?.id).to.equal(answer);
    });
  });

  it('are not created by posts with another visibility', async () => {
    for (const visibility of ['public', 'unlisted', 'private']) await write(alice, [bob], { visibility });
    expect(await listOf(alice)).to.deep.equal([]);
    expect(await listOf(bob)).to.deep.equal([]);
  });

  it('continue with answers among the same people, and a new one starts when others are added', async () => {
    const first = await write(alice, [bob]);
    const answer = await write(bob, [alice], { in_reply_to_id: first });
    const before = await onlyOne(alice);
    expect(before).to.deep.include({ unread: true });
    expect(before.last_status?.id).to.equal(answer);
    const wider = await write(alice, [bob, carol], { in_reply_to_id: answer });
    const lasts = (await listOf(bob)).map(({ last_status }) => last_status?.id);
    expect(lasts).to.deep.equal([wider, answer]);
  });

  it('become read when the reader answers', async () => {
    const first = await write(bob, [alice]);
    expect((await onlyOne(alice)).unread).to.equal(true);
    await write(alice, [bob], { in_reply_to_id: first });
    expect((await onlyOne(alice)).unread).to.equal(false);
    expect((await onlyOne(bob)).unread).to.equal(true);
  });

  it('may have the author as the only participant', async () => {
    await write(alice, [alice]);
    expect((await onlyOne(alice)).accounts.map(({ id }) => id)).to.deep.equal([alice.id]);
  });

  it('are marked as read by one reader, and become unread with a new post', async () => {
    await write(bob, [alice, carol]);
    const { id } = await onlyOne(alice);
    const read = await ok<Conversation>(alice.post(`/api/v1/conversations/${id}/read`));
    expect(read).to.deep.equal({ ...(await onlyOne(alice)), unread: false });
    expect((await onlyOne(carol)).unread).to.equal(true);
    const events = await town.events();
    await ok(alice.post(`/api/v1/conversations/${id}/read`));
    expect(await town.events()).to.equal(events);
    await write(bob, [alice, carol], { in_reply_to_id: id });
    expect((await onlyOne(alice)).unread).to.equal(true);
  });

  it('can be marked as unread again, and become read with an answer', async () => {
    const first = await write(bob, [alice]);
    const { id } = await onlyOne(alice);
    const unread = (): Promise<Conversation> =>
      ok<Conversation>(alice.post(`/api/v1/conversations/${id}/unread`));
    const before = await town.events();
    expect(await unread(), 'the conversation is unread').to.deep.equal(await onlyOne(alice));
    expect(await town.events()).to.equal(before);
    for (const _ of [1, 2]) {
      await ok(alice.post(`/api/v1/conversations/${id}/read`));
      expect((await onlyOne(alice)).unread).to.equal(false);
      expect(await unread()).to.deep.equal({ ...(await onlyOne(alice)), unread: true });
    }
    expect(
      (await onlyOne(bob)).unread,
      'the conversation does not change for the other participant',
    ).to.equal(false);
    await write(alice, [bob], { in_reply_to_id: first });
    expect((await onlyOne(alice)).unread).to.equal(false);
    await unread();
    expect((await onlyOne(alice)).unread).to.equal(true);
    expect((await bob.post('/api/v1/conversations/999/unread')).status).to.equal(404);
    expect((await carol.post(`/api/v1/conversations/${id}/unread`)).status).to.equal(404);
  });

  it('leave the list when the reader removes them, and come back with the next post', async () => {
    const first = await write(bob, [alice]);
    const { id } = await onlyOne(alice);
    expect(await ok(alice.delete(`/api/v1/conversations/${id}`))).to.deep.equal({});
    expect(await listOf(alice)).to.deep.equal([]);
    expect(await listOf(bob)).to.have.length(1);
    expect((await alice.delete(`/api/v1/conversations/${id}`)).status).to.equal(404);
    expect((await alice.post(`/api/v1/conversations/${id}/read`)).status).to.equal(404);
    const next = await write(bob, [alice], { in_reply_to_id: first });
    expect(await onlyOne(alice)).to.deep.include({ id, unread: true });
    expect((await onlyOne(alice)).last_status?.id).to.equal(next);
    await ok(bob.delete(`/api/v1/statuses/${next}`));
    expect(await listOf(alice)).to.deep.equal([]);
  });

  it('show the previous post when the last one is deleted, and disappear when no post is left', async () => {
    const first = await write(alice, [bob]);
    const second = await write(bob, [alice], { in_reply_to_id: first });
    await ok(bob.delete(`/api/v1/statuses/${second}`));
    const left = await onlyOne(alice);
    expect(left.last_status?.id).to.equal(first);
    expect(left.unread).to.equal(false);
    await ok(alice.delete(`/api/v1/statuses/${first}`));
    expect(await listOf(alice)).to.deep.equal([]);
    expect(await listOf(bob)).to.deep.equal([]);
  });

  for (const mark of ['block', 'mute'] as const) {
    it(`are removed when the reader ${mark}s a participant, and do not come back when this ends`, async () => {
      await write(bob, [alice]);
      await write(carol, [alice, bob]);
      const kept = await write(carol, [alice]);
      await ok(alice.post(`/api/v1/accounts/${bob.id}/${mark}`));
      expect((await onlyOne(alice)).last_status?.id).to.equal(kept);
      await write(bob, [alice, bob]);
      await ok(alice.post(`/api/v1/accounts/${bob.id}/un${mark}`));
      expect((await onlyOne(alice)).last_status?.id).to.equal(kept);
      await ok(alice.post(`/api/v1/accounts/${bob.id}/follow`));
      const again = await write(bob, [alice]);
      expect((await listOf(alice))[0]?.last_status?.id).to.equal(again);
    });
  }

  it('are listed in pages, in the order of their last posts', async () => {
    const posts: string[] = [];
    for (let index = 0; index < 5; index += 1) posts.unshift(await write(bob, [alice]));
    const ids = (list: readonly Conversation[]) => list.map(({ last_status }) => last_status?.id);
    const first = await alice.get<Conversation[]>('/api/v1/conversations?limit=2');
    expect(ids(first.json)).to.deep.equal(posts.slice(0, 2));
    const second = await alice.get<Conversation[]>(`/api/v1/conversations?${first.links['next']}`);
    expect(ids(second.json)).to.deep.equal(posts.slice(2, 4));
    const back = await alice.get<Conversation[]>(`/api/v1/conversations?${second.links['prev']}`);
    expect(ids(back.json)).to.deep.equal(posts.slice(0, 2));
    expect(ids(await listOf(alice, `?min_id=${posts[4]}&max_id=${posts[1]}&limit=1`))).to.deep.equal([
      posts[3],
    ]);
    const last = await alice.get<Conversation[]>(`/api/v1/conversations?${second.links['next']}`);
    expect(ids(last.json)).to.deep.equal(posts.slice(4));
    expect(last.links).not.to.have.property('next');
  });

  it('are visible only to their participants, with the scope that the request needs', async () => {
    await write(bob, [alice]);
    const before = await onlyOne(alice);
    const { id } = before;
    for (const wrong of [id, '1', '99999999999999999999', 'x']) {
      const read = await carol.post(`/api/v1/conversations/${wrong}/read`);
      const removed = await carol.delete(`/api/v1/conversations/${wrong}`);
      for (const { status, json } of [read, removed]) {
        expect([status, json]).to.deep.equal([404, { error: 'Record not found' }]);
      }
    }
    expect(await onlyOne(alice)).to.deep.equal(before);
    expect((await town.nobody.get('/api/v1/conversations')).status).to.equal(401);
    expect((await (await alice.withScopes('write')).get('/api/v1/conversations')).status).to.equal(403);
    const reader = await alice.withScopes('read');
    expect((await reader.post(`/api/v1/conversations/${id}/read`)).status).to.equal(403);
    expect((await reader.delete(`/api/v1/conversations/${id}`)).status).to.equal(403);
  });

  it('are hidden while their last author is suspended or blocks the reader', async () => {
    await write(bob, [alice]);
    const { id } = await onlyOne(alice);
    await ok(bob.post(`/api/v1/accounts/${alice.id}/block`));
    expect(await listOf(alice)).to.deep.equal([]);
    expect((await alice.post(`/api/v1/conversations/${id}/read`)).status).to.equal(404);
    await write(carol, [alice]);
    await town.suspend(carol);
    expect(await listOf(alice)).to.deep.equal([]);
  });

  it('are listed with the same number of database statements, no matter how many there are', async () => {
    const statements = async (): Promise<number> => {
      // The first request after a change may need one more statement.
      await listOf(alice);
      await town.waitUntilIdle();
      return (await statementsOfRequests(town.app.db, () => listOf(alice))).length;
    };
    await write(bob, [alice]);
    const one = await statements();
    for (let index = 0; index < 8; index += 1) await write(bob, [alice, carol]);
    expect(await statements()).to.equal(one);
    expect(one).to.be.within(1, 4);
  });
});

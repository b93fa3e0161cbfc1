import { expect } from 'chai';
import type { Status } from '#mastodon/schemas/index.ts';
import { describeTown, type Person } from '../support/people.ts';

describeTown('Reblogging', (town) => {
  let alice: Person;
  let bob: Person;
  let carol: Person;

  before(async () => {
    alice = await town.person('alice');
    bob = await town.person('bob');
    carol = await town.person('carol');
    await carol.post(`/api/v1/accounts/${bob.id}/follow`);
    await carol.get('/api/v1/timelines/home');
  });

  const post = async (author: Person, body: object): Promise<Status> =>
    (await author.post<Status>('/api/v1/statuses', body)).json;
  const reblog = (who: Person, id: string, body = {}) =>
    who.post<Status>(`/api/v1/statuses/${id}/reblog`, body);
  const home = async (who: Person): Promise<string[]> => {
    await town.waitUntilIdle();
    const { json } = await who.get<Status[]>('/api/v1/timelines/home');
    return json.map(({ id }) => id);
  };

  it('creates a post that contains the original, which is marked and counted', async () => {
    const original = await post(alice, { status: 'spread #this' });
    const { json } = await reblog(bob, original.id);
    expect(json.id).not.to.equal(original.id);
    expect(json.account.id).to.equal(bob.id);
    expect(json.reblog).to.include({ id: original.id, reblogged: true, reblogs_count: 1 });
    expect(json.reblog?.account.id).to.equal(alice.id);
    const { json: seen } = await alice.get<Status>(`/api/v1/statuses/${original.id}`);
    expect(seen).to.include({ reblogged: false, reblogs_count: 1 });
  });

  it('repeats no text of the original outside of it, where its warning would be missing', async () => {
    const original = await post(alice, {
      status: 'the butler did it #spoilt',
      spoiler_text: 'the ending',
      sensitive: true,
    });
    const { json } = await reblog(bob, original.id);
    const { json: shown } = await carol.get<Status>(`/api/v1/statuses/${json.id}`);
    for (const wrapper of [json, shown]) {
      expect(wrapper).to.deep.include({ content: '', spoiler_text: '', sensitive: false, card: null });
      expect(wrapper).to.deep.include({ media_attachments: [], mentions: [], tags: [], emojis: [] });
      expect(wrapper.reblog).to.include({ content: original.content, spoiler_text: 'the ending' });
    }
  });

  it('creates one reblog however often it is requested, also by the id of a reblog', async () => {
    const original = await post(alice, { status: 'once' });
    const first = await reblog(bob, original.id);
    const again = await reblog(bob, original.id);
    expect(again.json.id).to.equal(first.json.id);
    const ofReblog = await reblog(carol, first.json.id);
    expect(ofReblog.json.reblog).to.include({ id: original.id, reblogs_count: 2 });
  });

  it('counts as a post until it is undone or the original is deleted', async () => {
    const dora = await town.person('dora');
    const counted = async (): Promise<number> =>
      (await town.nobody.get<{ statuses_count: number }>(`/api/v1/accounts/${dora.id}`)).json.statuses_count;
    const originals = [
      await post(alice, { status: 'first' }),
      await post(alice, { status: 'second' }),
      await post(dora, { status: 'own' }),
    ] as const;
    for (const { id } of originals) await reblog(dora, id);
    expect(await counted()).to.equal(4);
    await dora.post(`/api/v1/statuses/${originals[0].id}/unreblog`);
    expect(await counted()).to.equal(3);
    await alice.delete(`/api/v1/statuses/${originals[0].id}`);
    await alice.delete(`/api/v1/statuses/${originals[1].id}`);
    await town.waitUntilIdle();
    expect(await counted()).to.equal(2);
    await dora.delete(`/api/v1/statuses/${originals[2].id}`);
    expect(await counted()).to.equal(0);
  });

  it('reaches the home timelines of followers until it is undone', async () => {
    const original = await post(alice, { status: 'to carol by bob' });
    const { json } = await reblog(bob, original.id);
    expect(await home(carol)).to.include(json.id);
    const undone = await bob.post<Status>(`/api/v1/statuses/${original.id}/unreblog`);
    expect(undone.json).to.include({ id: original.id, reblogged: false, reblogs_count: 0 });
    expect(await home(carol)).not.to.include(json.id);
  });

  it('does not reach followers who turned reblogs off', async () => {
    const { json } = await reblog(bob, (await post(alice, { status: 'not for carol' })).id);
    await carol.post(`/api/v1/accounts/${bob.id}/follow`, { reblogs: false });
    expect(await home(carol)).not.to.include(json.id);
    await carol.post(`/api/v1/accounts/${bob.id}/follow`, { reblogs: true });
    expect(await home(carol)).to.include(json.id);
  });

  it('ends when the original or the reblog itself is deleted', async () => {
    const original = await post(alice, { status: 'gone soon' });
    const one = await reblog(bob, original.id);
    const other = await reblog(carol, original.id);
    const deleted = await carol.delete<Status>(`/api/v1/statuses/${other.json.id}`);
    expect(deleted.status).to.equal(200);
    expect((await alice.get<Status>(`/api/v1/statuses/${original.id}`)).json.reblogs_count).to.equal(1);
    await alice.delete(`/api/v1/statuses/${original.id}`);
    expect((await bob.get(`/api/v1/statuses/${one.json.id}`)).status).to.equal(404);
  });

  it("appears among the author's statuses unless reblogs are excluded", async () => {
    const { json } = await reblog(bob, (await post(alice, { status: 'listed' })).id);
    const path = `/api/v1/accounts/${bob.id}/statuses`;
    const idsOf = async (query: string) => (await carol.get<Status[]>(path + query)).json.map(({ id }) => id);
    expect(await idsOf('')).to.include(json.id);
    expect(await idsOf('?exclude_reblogs=true')).not.to.include(json.id);
  });

  it('has the requested visibility and appears in no public timeline', async () => {
    const { json } = await reblog(bob, (await post(alice, { status: 'quietly' })).id, {
      visibility: 'private',
    });
    expect(json.visibility).to.equal('private');
    expect((await town.nobody.get(`/api/v1/statuses/${json.id}`)).status).to.equal(404);
    const { json: timeline } = await town.nobody.get<Status[]>('/api/v1/timelines/public');
    expect(timeline.every((status) => status.reblog === null)).to.equal(true);
  });

  it('allows private posts only to their author, and refuses direct and hidden posts', async () => {
    const forFollowers = await post(bob, { status: 'followers', visibility: 'private' });
    expect((await reblog(carol, forFollowers.id)).status).to.equal(403);
    expect((await reblog(alice, forFollowers.id)).status).to.equal(404);
    expect((await reblog(bob, forFollowers.id, { visibility: 'public' })).json.visibility).to.equal(
      'private',
    );
    const direct = await post(bob, { status: '@carol psst', visibility: 'direct' });
    expect((await reblog(carol, direct.id)).status).to.equal(403);
    expect((await reblog(carol, '99999999999')).status).to.equal(404);
  });

  it('counts as a post of the reblogging account', async () => {
    const count = async () =>
      (await bob.get<{ statuses_count: number }>(`/api/v1/accounts/${bob.id}`)).json.statuses_count;
    const before = await count();
    const original = await post(alice, { status: 'counted' });
    await reblog(bob, original.id);
    expect(await count()).to.equal(before + 1);
    await bob.post(`/api/v1/statuses/${original.id}/unreblog`);
    expect(await count()).to.equal(before);
  });

  it('refuses posts of a blocked author', async () => {
    const { id } = await post(alice, { status: 'by somebody blocked' });
    await bob.post(`/api/v1/accounts/${alice.id}/block`);
    const { status, json } = await reblog(bob, id);
    expect([status, json]).to.deep.equal([403, { error: 'This action is not allowed' }]);
    expect((await bob.get<Status>(`/api/v1/statuses/${id}`)).json.reblogs_count).to.equal(0);
    await bob.post(`/api/v1/accounts/${alice.id}/unblock`);
  });
});

import { expect } from 'chai';
import type { Account, Status } from '#mastodon/schemas/index.ts';
import { describeTown, type Person } from '../support/people.ts';

describeTown('Interactions with a post', (town) => {
  let alice: Person;
  let bob: Person;
  let carol: Person;

  before(async () => {
    alice = await town.person('alice');
    bob = await town.person('bob');
    carol = await town.person('carol');
  });

  const post = async (author: Person, body: object): Promise<Status> =>
    (await author.post<Status>('/api/v1/statuses', body)).json;
  const act = (who: Person, id: string, action: string) =>
    who.post<Status>(`/api/v1/statuses/${id}/${action}`);
  const idsOf = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);

  it('count a favourite once and remove it again', async () => {
    const { id } = await post(alice, { status: 'good' });
    expect((await act(bob, id, 'favourite')).json).to.include({ favourited: true, favourites_count: 1 });
    expect((await act(bob, id, 'favourite')).json).to.include({ favourited: true, favourites_count: 1 });
    expect((await alice.get<Status>(`/api/v1/statuses/${id}`)).json).to.include({
      favourited: false,
      favourites_count: 1,
    });
    expect((await act(bob, id, 'unfavourite')).json).to.include({ favourited: false, favourites_count: 0 });
  });

  it('show bookmarks only to the user who made them', async () => {
    const { id } = await post(alice, { status: 'later' });
    expect((await act(bob, id, 'bookmark')).json.bookmarked).to.equal(true);
    expect((await carol.get<Status>(`/api/v1/statuses/${id}`)).json.bookmarked).to.equal(false);
    expect(idsOf((await bob.get<Status[]>('/api/v1/bookmarks')).json)).to.deep.equal([id]);
    expect((await act(bob, id, 'unbookmark')).json.bookmarked).to.equal(false);
    expect((await bob.get<Status[]>('/api/v1/bookmarks')).json).to.deep.equal([]);
  });

  for (const [list, action] of [
    ['favourites', 'favourite'],
    ['bookmarks', 'bookmark'],
  ] as const) {
    it(`list ${list} by the time of the mark, page by page, without deleted posts`, async () => {
      const dora = await town.person(`dora_${list}`);
      const posts = [];
      for (const n of [1, 2, 3, 4]) posts.push((await post(alice, { status: `${list} ${n}` })).id);
      const [first = '', second = '', third = '', gone = ''] = posts;
      for (const id of [third, gone, first, second]) await act(dora, id, action);
      await alice.delete(`/api/v1/statuses/${gone}`);
      const page = await dora.get<Status[]>(`/api/v1/${list}?limit=2`);
      expect(idsOf(page.json)).to.deep.equal([second, first]);
      const next = await dora.get<Status[]>(`/api/v1/${list}?${page.links['next']}`);
      expect(idsOf(next.json)).to.deep.equal([third]);
      const back = await dora.get<Status[]>(`/api/v1/${list}?${next.links['prev']}`);
      expect(idsOf(back.json)).to.deep.equal([second, first]);
    });
  }

  it('list the accounts that favourited and reblogged, without private reblogs', async () => {
    const { id } = await post(alice, { status: 'popular' });
    await act(bob, id, 'favourite');
    await act(carol, id, 'favourite');
    await bob.post(`/api/v1/statuses/${id}/reblog`, { visibility: 'private' });
    await act(carol, id, 'reblog');
    const who = async (list: string) =>
      idsOf((await town.nobody.get<Account[]>(`/api/v1/statuses/${id}/${list}`)).json);
    expect(await who('favourited_by')).to.deep.equal([carol.id, bob.id]);
    expect(await who('reblogged_by')).to.deep.equal([carol.id]);
    const hidden = await post(alice, { status: 'mine', visibility: 'private' });
    expect((await bob.get(`/api/v1/statuses/${hidden.id}/favourited_by`)).status).to.equal(404);
  });

  it('mute a whole thread through any of its posts', async () => {
    const root = await post(alice, { status: 'root' });
    const answer = await post(bob, { status: 'answer', in_reply_to_id: root.id });
    const deeper = await post(alice, { status: 'deeper', in_reply_to_id: answer.id });
    expect((await act(bob, deeper.id, 'mute')).json.muted).to.equal(true);
    expect((await bob.get<Status>(`/api/v1/statuses/${root.id}`)).json.muted).to.equal(true);
    expect((await carol.get<Status>(`/api/v1/statuses/${root.id}`)).json.muted).to.equal(false);
    expect((await act(bob, answer.id, 'unmute')).json.muted).to.equal(false);
    expect((await bob.get<Status>(`/api/v1/statuses/${deeper.id}`)).json.muted).to.equal(false);
  });

  it('act on the original post when the id belongs to a reblog', async () => {
    const { id } = await post(alice, { status: 'reblogged' });
    const { json: reblog } = await act(bob, id, 'reblog');
    expect((await act(carol, reblog.id, 'favourite')).json).to.include({ id, favourited: true });
  });

  it('reply 404 for posts that the user may not see', async () => {
    const { id } = await post(alice, { status: 'for followers', visibility: 'private' });
    const actions = [
      'favourite',
      'bookmark',
      'reblog',
      'mute',
      'pin',
      'unfavourite',
      'unbookmark',
      'unreblog',
    ];
    for (const action of [...actions, 'unmute', 'unpin']) {
      const hidden = await act(bob, id, action);
      const absent = await act(bob, '1', action);
      expect(hidden, action).to.deep.equal(absent);
      expect(hidden.status, action).to.equal(404);
    }
  });

  it("pin at most five of one's own posts, not counting deleted ones", async () => {
    const erin = await town.person('erin');
    const posts: string[] = [];
    for (const n of [1, 2, 3, 4, 5, 6]) posts.push((await post(erin, { status: `pin ${n}` })).id);
    for (const id of posts.slice(0, 5)) expect((await act(erin, id, 'pin')).json.pinned).to.equal(true);
    expect((await act(erin, posts[4] ?? '', 'pin')).status).to.equal(200);
    expect((await act(erin, posts[5] ?? '', 'pin')).status).to.equal(422);
    await erin.delete(`/api/v1/statuses/${posts[0]}`);
    expect((await act(erin, posts[5] ?? '', 'pin')).status).to.equal(200);
    expect((await act(erin, posts[1] ?? '', 'unpin')).json.pinned).to.equal(false);
    const pinned = await bob.get<Status[]>(`/api/v1/accounts/${erin.id}/statuses?pinned=true`);
    expect(idsOf(pinned.json)).to.deep.equal([5, 4, 3, 2].map((n) => posts[n]));
    expect(pinned.links).to.deep.equal({});
    expect((await act(bob, posts[2] ?? '', 'pin')).status).to.equal(422);
  });

  it("refuse a favourite for a blocked author's post, but allow a bookmark", async () => {
    const { id } = await post(carol, { status: 'by somebody blocked' });
    await bob.post(`/api/v1/accounts/${carol.id}/block`);
    const { status, json } = await act(bob, id, 'favourite');
    expect([status, json]).to.deep.equal([403, { error: 'This action is not allowed' }]);
    expect((await act(bob, id, 'bookmark')).json.bookmarked).to.equal(true);
    await bob.post(`/api/v1/accounts/${carol.id}/unblock`);
    expect((await act(bob, id, 'favourite')).json.favourited).to.equal(true);
  });
});

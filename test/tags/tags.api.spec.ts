import { expect } from 'chai';
import type { Status, Tag } from '#mastodon/schemas/index.ts';
import { describeTown, type Person } from '../support/people.ts';

describeTown('Hashtags over the API', (town) => {
  let alice: Person;
  let bob: Person;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
    bob = await town.person('bob');
  });

  const post = async (who: Person, status: string, visibility = 'public'): Promise<string> => {
    const { status: code, json } = await who.post<Status>('/api/v1/statuses', { status, visibility });
    expect(code).to.equal(200);
    return json.id;
  };
  const show = async (name: string, who: Pick<Person, 'get'> = alice): Promise<Tag> => {
    const { status, json } = await who.get<Tag>(`/api/v1/tags/${encodeURIComponent(name)}`);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };
  const names = (tags: Tag[]): string[] => tags.map(({ name }) => name);

  it('are found under every spelling, and shown in their first', async () => {
    await post(alice, 'A shark: #Blåhaj');
    await post(bob, 'Another: #BLAHAJ');
    const tag = await show('blahaj');
    expect(tag).to.deep.include({ name: 'Blåhaj', url: 'https://rookery.example/tags/blahaj' });
    expect(await show('ＢＬÅＨＡＪ')).to.deep.equal(tag);
    expect(tag).to.include({ following: false, featuring: false });
  });

  it('need no token, and contain nothing about the viewer without one', async () => {
    const tag = await show('blahaj', town.nobody);
    expect(tag).not.to.have.any.keys('following', 'featuring');
    expect(tag.history).to.have.length(7);
  });

  it('contain their public uses and accounts of each day', async () => {
    const first = await post(alice, '#Counting one');
    const second = await post(alice, '#counting two');
    await post(bob, '#counting three');
    await post(bob, '#counting quietly', 'unlisted');
    await post(bob, '#counting among friends', 'private');
    await town.waitUntilIdle();
    const [today, ...before] = (await show('counting')).history;
    expect(today).to.include({ uses: '3', accounts: '2' });
    const midnight = Math.floor(Date.now() / 86_400_000) * 86_400;
    expect(Number(today?.day)).to.be.within(midnight - 86_400, midnight);
    expect(before.map(({ uses }) => uses)).to.deep.equal(['0', '0', '0', '0', '0', '0']);
    expect(before.map(({ day }) => Number(today?.day) - Number(day))).to.deep.equal(
      [1, 2, 3, 4, 5, 6].map((days) => days * 86_400),
    );
    await alice.put(`/api/v1/statuses/${second}`, { status: 'No longer, but #recounting' });
    expect((await show('counting')).history[0]).to.include({ uses: '3', accounts: '2' });
    expect((await show('recounting')).history[0]).to.include({ uses: '0', accounts: '0' });
    await alice.delete(`/api/v1/statuses/${first}`);
    expect((await show('counting')).history[0]).to.include({ uses: '2', accounts: '2' });
  });

  it('exist before their first use', async () => {
    const tag = await show('NeverUsed');
    expect(tag).to.include({ name: 'NeverUsed', url: 'https://rookery.example/tags/neverused' });
    expect(tag.history.every(({ uses, accounts }) => uses === '0' && accounts === '0')).to.equal(true);
    expect((await show('neverused')).id).to.equal(tag.id);
  });

  it('are not found for invalid names', async () => {
    for (const name of ['123', '#x', '＃x', ' x', 'two words', 'a-b', '%00', 'x'.repeat(501), '__proto__!']) {
      const path = `/api/v1/tags/${encodeURIComponent(name)}`;
      expect((await alice.get(path)).status, name).to.equal(404);
      expect((await alice.post(`${path}/follow`)).status, name).to.equal(404);
    }
  });

  it('are followed and unfollowed, however often it is requested', async () => {
    for (const spelling of ['Birds', 'birds', 'ＢIRDS']) {
      const { status, json } = await alice.post<Tag>(`/api/v1/tags/${encodeURIComponent(spelling)}/follow`);
      expect(status).to.equal(200);
      expect(json).to.include({ name: 'Birds', following: true });
    }
    expect(names((await alice.get<Tag[]>('/api/v1/followed_tags')).json)).to.deep.equal(['Birds']);
    expect((await show('birds', bob)).following).to.equal(false);
    for (let time = 0; time < 2; time += 1) {
      const { status, json } = await alice.post<Tag>('/api/v1/tags/birds/unfollow');
      expect(status).to.equal(200);
      expect(json.following).to.equal(false);
    }
    expect((await alice.get('/api/v1/followed_tags')).json).to.deep.equal([]);
  });

  it('are listed newest first, page by page, if followed', async () => {
    for (const name of ['one', 'two', 'three']) await bob.post(`/api/v1/tags/${name}/follow`);
    const first = await bob.get<Tag[]>('/api/v1/followed_tags?limit=2');
    expect(names(first.json)).to.deep.equal(['three', 'two']);
    const second = await bob.get<Tag[]>(`/api/v1/followed_tags?${first.links['next'] ?? ''}`);
    expect(names(second.json)).to.deep.equal(['one']);
    expect(second.links).not.to.have.property('next');
    const back = await bob.get<Tag[]>(`/api/v1/followed_tags?${second.links['prev'] ?? ''}`);
    expect(names(back.json)).to.deep.equal(['three', 'two']);
  });

  it('are featured and unfeatured, however often it is requested', async () => {
    for (let time = 0; time < 2; time += 1) {
      const { status, json } = await alice.post<Tag>('/api/v1/tags/Blahaj/feature');
      expect(status).to.equal(200);
      expect(json).to.include({ name: 'Blåhaj', featuring: true });
    }
    expect((await alice.get<unknown[]>('/api/v1/featured_tags')).json).to.have.length(1);
    for (let time = 0; time < 2; time += 1) {
      const { json } = await alice.post<Tag>('/api/v1/tags/blahaj/unfeature');
      expect(json.featuring).to.equal(false);
    }
  });

  it('need the right scope to be followed or featured', async () => {
    const reader = await alice.withScopes('read');
    for (const verb of ['follow', 'unfollow', 'feature', 'unfeature']) {
      expect((await reader.post(`/api/v1/tags/birds/${verb}`)).status, verb).to.equal(403);
      expect((await town.nobody.post(`/api/v1/tags/birds/${verb}`)).status, verb).to.equal(401);
    }
    const writer = await alice.withScopes('write');
    expect((await writer.get('/api/v1/followed_tags')).status).to.equal(403);
  });
});

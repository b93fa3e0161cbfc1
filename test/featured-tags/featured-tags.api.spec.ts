import { expect } from 'chai';
import type { FeaturedTag, Status, Tag } from '#mastodon/schemas/index.ts';
import { type Answer, describeTown, type Person } from '../support/people.ts';

describeTown('Featured hashtags over the API', (town) => {
  let alice: Person;
  let bob: Person;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
    bob = await town.person('bob');
  });

  const feature = (name: unknown, who = alice): Promise<Answer<FeaturedTag>> =>
    who.post<FeaturedTag>('/api/v1/featured_tags', { name });
  const listed = async (who = alice): Promise<FeaturedTag[]> =>
    (await who.get<FeaturedTag[]>('/api/v1/featured_tags')).json;
  const post = async (status: string, visibility = 'public'): Promise<string> =>
    (await alice.post<Status>('/api/v1/statuses', { status, visibility })).json.id;

  it("keep the name as typed, and link to the account's posts with the hashtag", async () => {
    const { status, json } = await feature('#Blåhaj');
    expect(status, JSON.stringify(json)).to.equal(200);
    expect(json).to.deep.include({
      name: 'Blåhaj',
      url: 'https://rookery.example/@alice/tagged/blahaj',
      statuses_count: '0',
      last_status_at: null,
    });
    expect((await feature('blahaj')).json).to.deep.equal(json);
    expect(await listed()).to.deep.equal([json]);
    expect(await listed(bob)).to.deep.equal([]);
  });

  it('count public and unlisted posts as they are made and deleted', async () => {
    const first = await post('#blahaj one');
    const second = await post('#BLAHAJ two', 'unlisted');
    await post('#blahaj for friends', 'private');
    const counted = async (): Promise<unknown[]> =>
      (await listed()).map(({ statuses_count, last_status_at }) => [statuses_count, last_status_at !== null]);
    expect(await counted()).to.deep.equal([['2', true]]);
    await alice.delete(`/api/v1/statuses/${second}`);
    expect(await counted()).to.deep.equal([['1', true]]);
    await alice.delete(`/api/v1/statuses/${first}`);
    expect(await counted()).to.deep.equal([['0', false]]);
  });

  it('are at most ten, also when many requests arrive at once', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => feature(`Tag${n}`, bob)));
    const codes = answers.map(({ status }) => status);
    expect(codes.filter((code) => code === 200).length).to.be.at.most(10);
    for (let n = 0; n < 12; n += 1) await feature(`Tag${n}`, bob);
    expect(await listed(bob)).to.have.length(10);
    const eleventh = await feature('OneMore', bob);
    expect(eleventh.status).to.equal(422);
    expect(eleventh.json).to.deep.include({
      error: 'Validation failed: You have already featured the maximum number of hashtags',
    });
    expect((await bob.post('/api/v1/tags/OneMore/feature')).status).to.equal(422);
    expect(await listed(bob)).to.have.length(10);
  });

  it('are shown on the profile to everyone, most used first', async () => {
    await feature('Quiet');
    await feature('Loud');
    await post('#loud');
    const { status, json } = await town.nobody.get<FeaturedTag[]>(
      `/api/v1/accounts/${alice.id}/featured_tags`,
    );
    expect(status).to.equal(200);
    expect(json.map(({ name }) => name)).to.deep.equal(['Loud', 'Blåhaj', 'Quiet']);
    expect((await town.nobody.get('/api/v1/accounts/1/featured_tags')).status).to.equal(404);
  });

  it('are removed by their id, and only by their owner', async () => {
    const quiet = (await listed()).find(({ name }) => name === 'Quiet');
    const path = `/api/v1/featured_tags/${quiet?.id ?? ''}`;
    expect((await bob.delete(path)).status).to.equal(404);
    const { status, json } = await alice.delete(path);
    expect([status, json]).to.deep.equal([200, {}]);
    expect((await alice.delete(path)).status).to.equal(404);
    expect((await alice.delete('/api/v1/featured_tags/nonsense')).status).to.equal(404);
    expect((await listed()).map(({ name }) => name)).not.to.include('Quiet');
  });

  it('are suggested from recently used hashtags that are not featured yet', async () => {
    await post('#tea and #cake');
    await post('#tea again, #loud');
    const { json } = await alice.get<Tag[]>('/api/v1/featured_tags/suggestions');
    expect(json.map(({ name }) => name)).to.deep.equal(['tea', 'cake']);
    expect((await bob.get('/api/v1/featured_tags/suggestions')).json).to.deep.equal([]);
  });

  it('refuse an invalid hashtag', async () => {
    for (const name of ['123', 'two words', 'a-b', 'x'.repeat(501), 'x'.repeat(2_000)]) {
      expect((await feature(name)).status, JSON.stringify(name)).to.equal(422);
    }
    expect((await feature('')).json).to.deep.equal({
      error: 'param is missing or the value is empty or invalid: name',
    });
    for (const name of [null, ['a'], {}]) {
      expect((await feature(name)).status, JSON.stringify(name)).to.be.oneOf([400, 422]);
    }
    expect((await feature('123')).json).to.deep.include({
      error: 'Validation failed: Name is invalid, Display name is invalid',
    });
  });

  it('are not shown on the profile of a suspended account', async () => {
    await town.suspend(alice);
    expect((await town.nobody.get(`/api/v1/accounts/${alice.id}/featured_tags`)).json).to.deep.equal([]);
  });
});

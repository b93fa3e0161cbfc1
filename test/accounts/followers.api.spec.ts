import { expect } from 'chai';
import type { Account } from '#mastodon/schemas/index.ts';
import { type Client, describeTown, type Person } from '../support/people.ts';

describeTown('Lists of followers and followed accounts', (town) => {
  let star: Person;
  let fan: Person;
  let suspended: Person;
  /** In the order of following. */
  const followers: Person[] = [];
  before(async function () {
    this.timeout(120_000);
    star = await town.person('star');
    fan = await town.person('fan');
    for (const name of ['one', 'two', 'three', 'four', 'five']) {
      const person = await town.person(name);
      await person.post(`/api/v1/accounts/${star.id}/follow`);
      await fan.post(`/api/v1/accounts/${person.id}/follow`);
      followers.push(person);
      if (name === 'three') suspended = person;
    }
    await town.suspend(suspended);
  });

  const names = async (client: Client, path: string): Promise<string[]> =>
    (await client.get<Account[]>(path)).json.map(({ username }) => username);
  const followersOf = (person: Person): string => `/api/v1/accounts/${person.id}/followers`;
  const followingOf = (person: Person): string => `/api/v1/accounts/${person.id}/following`;

  it('are public, newest first, without suspended accounts', async () => {
    expect(await names(town.nobody, followersOf(star))).to.deep.equal(['five', 'four', 'two', 'one']);
    expect(await names(fan, followingOf(fan))).to.deep.equal(['five', 'four', 'two', 'one']);
    expect(await names(town.nobody, followingOf(star))).to.deep.equal([]);
    expect(await names(fan, followersOf(fan))).to.deep.equal([]);
  });

  it('contain whole accounts with their counts', async () => {
    const { json } = await town.nobody.get<Account[]>(followersOf(star));
    expect(json[0]).to.include({ acct: 'five', followers_count: 1, following_count: 1 });
  });

  for (const [list, pathOf, owner] of [
    ['followers', followersOf, () => star],
    ['following', followingOf, () => fan],
  ] as const) {
    it(`page through ${list} by the links, forwards and back`, async () => {
      const first = await town.nobody.get<Account[]>(`${pathOf(owner())}?limit=3`);
      expect(first.json.map(({ username }) => username)).to.deep.equal(['five', 'four', 'two']);
      expect(first.links['next']).to.match(/^limit=3&max_id=[0-9]+$/);
      const second = await town.nobody.get<Account[]>(`${pathOf(owner())}?${first.links['next'] ?? ''}`);
      expect(second.json.map(({ username }) => username)).to.deep.equal(['one']);
      expect(second.links['next']).to.equal(undefined);
      const back = await town.nobody.get<Account[]>(`${pathOf(owner())}?${second.links['prev'] ?? ''}`);
      expect(back.json.map(({ username }) => username)).to.deep.equal(['five', 'four', 'two']);
    });

    it(`distinguish max_id, since_id and min_id for ${list}`, async () => {
      const oldest = await town.nobody.get<Account[]>(pathOf(owner()));
      const newestId = oldest.links['prev']?.replace('since_id=', '') ?? '';
      expect(await names(town.nobody, `${pathOf(owner())}?max_id=${newestId}&limit=1`)).to.deep.equal([
        'four',
      ]);
      expect(await names(town.nobody, `${pathOf(owner())}?since_id=1&limit=1`)).to.deep.equal(['five']);
      expect(await names(town.nobody, `${pathOf(owner())}?min_id=1&limit=1`)).to.deep.equal(['one']);
      expect(await names(town.nobody, `${pathOf(owner())}?min_id=1&max_id=${newestId}`)).to.deep.equal([
        'four',
        'two',
        'one',
      ]);
    });
  }

  it('tolerate malformed paging parameters', async () => {
    const counts = {
      'limit=0': 0,
      'limit=x': 0,
      'limit=-3': 3,
      'limit=100000': 4,
      'max_id=x': 0,
      'min_id=-1': 4,
    };
    for (const [query, count] of Object.entries(counts)) {
      const { status, json } = await town.nobody.get(`${followersOf(star)}?${query}`);
      expect([query, status]).to.deep.equal([query, 200]);
      expect(json, query).to.have.length(count);
    }
  });

  it('are empty when their owner hides them, except for the owner', async () => {
    await town.change(star, { hide_collections: true });
    expect(await names(town.nobody, followersOf(star))).to.deep.equal([]);
    expect(await names(fan, followersOf(star))).to.deep.equal([]);
    expect(await names(star, followersOf(star))).to.have.length(4);
    await town.change(star, { hide_collections: false });
    expect(await names(fan, followersOf(star))).to.have.length(4);
  });

  it('are empty for a suspended account, and not found for an unknown one', async () => {
    expect(await names(town.nobody, followingOf(suspended))).to.deep.equal([]);
    for (const id of ['1', 'star', '99999999999999999999']) {
      for (const list of ['followers', 'following']) {
        expect((await town.nobody.get(`/api/v1/accounts/${id}/${list}`)).status).to.equal(404);
      }
    }
  });

  it('refuse a token that may not read accounts, and treat an invalid token as none', async () => {
    for (const path of [followersOf(star), followingOf(star)]) {
      expect((await town.withToken('made-up').get(path)).status).to.equal(200);
      expect((await (await fan.withScopes('write', 'read:statuses')).get(path)).status).to.equal(403);
      expect((await (await town.appOnly()).get(path)).status).to.equal(200);
    }
  });
});

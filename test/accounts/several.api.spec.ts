import { expect } from 'chai';
import type { Account, Relationship, Status } from '#mastodon/schemas/index.ts';
import { describeTown, type Person } from '../support/people.ts';

describeTown('Several accounts in one request', (town) => {
  let alice: Person;
  let bob: Person;
  let carol: Person;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
    bob = await town.person('bob');
    carol = await town.person('carol');
  });

  const idsAt = async (path: string): Promise<string[]> =>
    (await alice.get<{ id: string }[]>(path)).json.map(({ id }) => id);
  const backwards = (): string => `id[]=${carol.id}&id[]=${bob.id}&id[]=${carol.id}`;

  it('are returned in order of ids, each once', async () => {
    for (const path of ['accounts', 'accounts/relationships', 'accounts/familiar_followers']) {
      expect(await idsAt(`/api/v1/${path}?${backwards()}`), path).to.deep.equal([bob.id, carol.id]);
    }
  });

  it('need `id[]`, except for relationships, which also accept a single `id`', async () => {
    expect(await idsAt(`/api/v1/accounts?id=${bob.id}`)).to.deep.equal([]);
    expect(await idsAt(`/api/v1/accounts/relationships?id=${bob.id}`)).to.deep.equal([bob.id]);
  });

  it('are limited to 40', async () => {
    const ids = (count: number): string =>
      Array.from({ length: count }, (_each, index) => `id[]=${index + 1}`).join('&');
    expect((await alice.get(`/api/v1/accounts?${ids(40)}`)).status).to.equal(200);
    const { status, json } = await alice.get(`/api/v1/accounts?${ids(41)}`);
    expect([status, json]).to.deep.equal([422, { error: 'Mastodon::ValidationError' }]);
  });

  it('are found by the number at the start of an id', async () => {
    for (const id of [`${bob.id}abc`, `00${bob.id}`, `${bob.id}.5`]) {
      const { json } = await alice.get<Account>(`/api/v1/accounts/${id}`);
      expect(json.username, id).to.equal('bob');
      expect(await idsAt(`/api/v1/accounts/relationships?id[]=${id}`)).to.deep.equal([bob.id]);
    }
    const { json } = await alice.post<Relationship>(`/api/v1/accounts/${bob.id}abc/follow`);
    expect(json).to.include({ id: bob.id, following: true });
    for (const id of [`x${bob.id}`, '9'.repeat(30)]) {
      expect((await alice.get(`/api/v1/accounts/${id}`)).status).to.equal(404);
    }
  });

  it('show all posts for an empty hashtag', async () => {
    await bob.post<Status>('/api/v1/statuses', { status: 'A #rook' });
    expect(await idsAt(`/api/v1/accounts/${bob.id}/statuses?tagged=`)).to.have.length(1);
    expect(await idsAt(`/api/v1/accounts/${bob.id}/statuses?tagged=crow`)).to.deep.equal([]);
  });

  it('show the posts with the first of several hashtags', async () => {
    const { json: fern } = await bob.post<Status>('/api/v1/statuses', { status: 'A #fern' });
    await bob.post<Status>('/api/v1/statuses', { status: 'A #moss' });
    const path = `/api/v1/accounts/${bob.id}/statuses`;
    for (const query of ['tagged[]=fern', 'tagged[]=fern&tagged[]=moss', 'tagged[0]=fern']) {
      expect(await idsAt(`${path}?${query}`), query).to.deep.equal([fern.id]);
    }
    expect(await idsAt(`${path}?tagged[]=`)).to.have.length(3);
  });
});

import { expect } from 'chai';
import { type Account, type Relationship } from '#mastodon/schemas/index.ts';
import { describeTown, type Person } from '../support/people.ts';
import { expectScope } from '../support/scopes.ts';

describeTown('follow requests over the API', (town) => {
  let shy: Person;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  before(async function () {
    this.timeout(120_000);
    shy = await town.person('shy', { locked: true });
    alice = await town.person('alice');
    bob = await town.person('bob');
    carol = await town.person('carol');
  });
  beforeEach(async () => {
    for (const person of [alice, bob, carol]) await person.post(`/api/v1/accounts/${shy.id}/unfollow`);
  });

  const ask = (who: Person, settings = {}) => who.post(`/api/v1/accounts/${shy.id}/follow`, settings);
  const pending = async (): Promise<string[]> =>
    (await shy.get<Account[]>('/api/v1/follow_requests')).json.map(({ username }) => username);
  const answer = async (verb: string, who: Person): Promise<Relationship> => {
    const { status, json } = await shy.post<Relationship>(`/api/v1/follow_requests/${who.id}/${verb}`);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };

  it('are listed newest first, page by page', async () => {
    for (const person of [alice, bob, carol]) await ask(person);
    expect(await pending()).to.deep.equal(['carol', 'bob', 'alice']);
    const first = await shy.get<Account[]>('/api/v1/follow_requests?limit=2');
    expect(first.json).to.have.length(2);
    const second = await shy.get<Account[]>(`/api/v1/follow_requests?${first.links['next'] ?? ''}`);
    expect(second.json.map(({ username }) => username)).to.deep.equal(['alice']);
    const back = await shy.get<Account[]>(`/api/v1/follow_requests?${second.links['prev'] ?? ''}`);
    expect(back.json.map(({ username }) => username)).to.deep.equal(['carol', 'bob']);
    expect((await alice.get('/api/v1/follow_requests')).json).to.deep.equal([]);
  });

  it('become follows that keep their settings', async () => {
    await ask(alice, { reblogs: false });
    expect(await answer('authorize', alice)).to.include({
      id: alice.id,
      followed_by: true,
      requested_by: false,
      following: false,
    });
    const { json } = await alice.get<Relationship[]>(`/api/v1/accounts/relationships?id[]=${shy.id}`);
    expect(json[0]).to.include({ following: true, requested: false, showing_reblogs: false });
    expect(await pending()).to.deep.equal([]);
    const followers = await town.nobody.get<Account[]>(`/api/v1/accounts/${shy.id}/followers`);
    expect(followers.json.map(({ username }) => username)).to.deep.equal(['alice']);
    const account = await town.nobody.get<Account>(`/api/v1/accounts/${shy.id}`);
    expect(account.json.followers_count).to.equal(1);
  });

  it('bring private posts home once they are accepted', async () => {
    const posted = await shy.post<{ id: string }>('/api/v1/statuses', {
      status: 'for my followers',
      visibility: 'private',
    });
    await ask(alice);
    expect((await alice.get(`/api/v1/statuses/${posted.json.id}`)).status).to.equal(404);
    await answer('authorize', alice);
    expect((await alice.get(`/api/v1/statuses/${posted.json.id}`)).status).to.equal(200);
    await town.waitUntilIdle();
    const home = await alice.get<{ id: string }[]>('/api/v1/timelines/home');
    expect(home.json.map(({ id }) => id)).to.include(posted.json.id);
  });

  it('can be rejected, after which one may ask again', async () => {
    await ask(alice);
    expect(await answer('reject', alice)).to.include({ followed_by: false, requested_by: false });
    const { json } = await alice.get<Relationship[]>(`/api/v1/accounts/relationships?id[]=${shy.id}`);
    expect(json[0]).to.include({ following: false, requested: false });
    expect((await ask(alice)).json).to.include({ requested: true });
  });

  it('cannot be answered when there is none', async () => {
    await ask(alice);
    await answer('authorize', alice);
    const before = await town.events();
    for (const id of [alice.id, bob.id, shy.id, '1', 'alice', '99999999999999999999']) {
      for (const verb of ['authorize', 'reject']) {
        const { status, json } = await shy.post(`/api/v1/follow_requests/${id}/${verb}`);
        expect([id, verb, status]).to.deep.equal([id, verb, 404]);
        expect(json).to.deep.equal({ error: 'Record not found' });
      }
    }
    expect(await town.events()).to.equal(before);
  });

  it('are answered only by who was asked', async () => {
    await ask(alice);
    for (const verb of ['authorize', 'reject']) {
      expect((await bob.post(`/api/v1/follow_requests/${alice.id}/${verb}`)).status).to.equal(404);
      expect((await alice.post(`/api/v1/follow_requests/${shy.id}/${verb}`)).status).to.equal(404);
    }
    expect(await pending()).to.deep.equal(['alice']);
  });

  it('need a token of a user with the scope', async () => {
    await ask(alice);
    const list = '/api/v1/follow_requests';
    await expectScope(town, shy, (who) => who.get(list), {
      enough: ['read', 'read:follows', 'follow'],
      others: ['read:accounts', 'write'],
    });
    for (const verb of ['authorize', 'reject']) {
      const path = `/api/v1/follow_requests/${alice.id}/${verb}`;
      expect((await town.nobody.post(path)).status).to.equal(401);
      expect((await (await town.appOnly()).post(path)).status).to.equal(422);
      expect((await (await shy.withScopes('read', 'write:accounts')).post(path)).status).to.equal(403);
    }
    expect(await pending()).to.deep.equal(['alice']);
  });

  it('are all accepted when the account is unlocked, as they were asked', async () => {
    const opener = await town.person('opener', { locked: true });
    for (const who of [alice, bob]) {
      await who.post(`/api/v1/accounts/${opener.id}/follow`, { notify: true });
    }
    const unlock = { locked: false, display_name: 'Open' };
    expect((await opener.patch('/api/v1/accounts/update_credentials', unlock)).status).to.equal(200);
    await town.waitUntilIdle();
    for (const who of [alice, bob]) {
      const { json } = await who.get<Relationship[]>(`/api/v1/accounts/relationships?id[]=${opener.id}`);
      expect(json[0]).to.include({ following: true, requested: false, notifying: true });
    }
    expect((await opener.get<unknown[]>('/api/v1/follow_requests')).json).to.deep.equal([]);
  });

  it('stay where something else of the profile changes, or where they came after it was locked again', async () => {
    const wary = await town.person('wary', { locked: true });
    await wary.patch('/api/v1/accounts/update_credentials', { display_name: 'Wary' });
    await wary.patch('/api/v1/accounts/update_credentials', { locked: false });
    await wary.patch('/api/v1/accounts/update_credentials', { locked: true });
    await alice.post(`/api/v1/accounts/${wary.id}/follow`);
    await wary.patch('/api/v1/accounts/update_credentials', { display_name: 'Warier' });
    await town.waitUntilIdle();
    const { json } = await wary.get<{ username: string }[]>('/api/v1/follow_requests');
    expect(json.map(({ username }) => username)).to.deep.equal(['alice']);
  });
});

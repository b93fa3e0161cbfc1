import { expect } from 'chai';
import type { Account, Relationship } from '#mastodon/schemas/index.ts';
import { inApp } from '../clients/adapted.ts';
import { type Client, describeTown, type Person } from '../support/people.ts';
import { expectScope } from '../support/scopes.ts';

describeTown('Blocking accounts', (town) => {
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let shy: Person;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
    bob = await town.person('bob');
    carol = await town.person('carol');
    shy = await town.person('shy', { locked: true });
  });
  afterEach(async () => {
    for (const one of [alice, bob, carol, shy]) {
      for (const other of [alice, bob, carol, shy]) await one.post(`/api/v1/accounts/${other.id}/unblock`);
    }
  });

  const act = async (who: Client, verb: string, target: Person): Promise<Relationship> => {
    const { status, json } = await who.post<Relationship>(`/api/v1/accounts/${target.id}/${verb}`);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };
  const relationship = async (who: Person, target: Person): Promise<Relationship | undefined> =>
    (await who.get<Relationship[]>(`/api/v1/accounts/relationships?id[]=${target.id}`)).json[0];
  const names = async (client: Client, path: string): Promise<string[]> => {
    const { status, json } = await client.get<Account[]>(path);
    expect(status).to.equal(200);
    return json.map(({ username }) => username);
  };
  const counts = async (of: Person): Promise<[number, number]> => {
    const { json } = await town.nobody.get<Account>(`/api/v1/accounts/${of.id}`);
    return [json.followers_count, json.following_count];
  };

  it('ends follows and endorsements in both directions, and shows the block only to the blocking user', async () => {
    await act(alice, 'follow', bob);
    await act(bob, 'follow', alice);
    await act(bob, 'endorse', alice);
    const ended = { following: false, followed_by: false, endorsed: false };
    expect(await act(alice, 'block', bob)).to.include({ ...ended, id: bob.id, blocking: true });
    const seenByBob = await relationship(bob, alice);
    expect(seenByBob).to.include({ ...ended, blocking: false });
    expect(seenByBob).not.to.have.property('blocked_by');
    const path = `/api/v1/accounts/relationships?id[]=${alice.id}&id[]=${shy.id}`;
    const inOfficialApp = await (await inApp(town, bob, 'Mastodon for iOS')).get<Relationship[]>(path);
    expect(inOfficialApp.json.map((each) => each.blocked_by)).to.deep.equal([true, false]);
    for (const name of ['mastodon for ios', 'Mastodon for iOS 2', 'Mastodon for Android']) {
      const { json } = await (await inApp(town, bob, name)).get<Relationship[]>(path);
      for (const each of json) expect(each).not.to.have.property('blocked_by');
    }
    expect([await counts(alice), await counts(bob)]).to.deep.equal([
      [0, 0],
      [0, 0],
    ]);
  });

  it('withdraws and rejects follow requests in both directions', async () => {
    await act(alice, 'follow', shy);
    await act(shy, 'block', alice);
    expect(await names(shy, '/api/v1/follow_requests')).to.deep.equal([]);
    expect(await relationship(alice, shy)).to.include({ requested: false });
    await act(shy, 'unblock', alice);
    await act(alice, 'follow', shy);
    await act(alice, 'block', shy);
    expect(await names(shy, '/api/v1/follow_requests')).to.deep.equal([]);
  });

  it('prevents following in both directions with the same error', async () => {
    await act(alice, 'block', bob);
    const before = await town.events();
    for (const [who, target] of [
      [alice, bob],
      [bob, alice],
    ] as const) {
      const { status, json } = await who.post(`/api/v1/accounts/${target.id}/follow`);
      expect([status, json]).to.deep.equal([403, { error: 'This action is not allowed' }]);
      expect((await who.post('/api/v1/follows', { uri: target.username })).status).to.equal(403);
    }
    expect(await town.events()).to.equal(before);
    await act(alice, 'unblock', bob);
    expect(await act(bob, 'follow', alice)).to.include({ following: true });
    await act(bob, 'unfollow', alice);
  });

  it('records nothing when nothing changes', async () => {
    const first = await act(alice, 'block', bob);
    const before = await town.events();
    expect(await act(alice, 'block', bob)).to.deep.equal(first);
    await act(alice, 'unblock', carol);
    expect(await town.events()).to.equal(before);
  });

  it('has one outcome for concurrent requests', async () => {
    await act(alice, 'follow', bob);
    await Promise.all([
      act(alice, 'block', bob),
      bob.post(`/api/v1/accounts/${alice.id}/follow`),
      act(alice, 'block', bob),
    ]);
    expect(await relationship(alice, bob)).to.include({
      blocking: true,
      following: false,
      followed_by: false,
    });
    expect(await counts(alice)).to.deep.equal([0, 0]);
  });

  it("changes nothing for one's own account, as in Mastodon", async () => {
    const before = await town.events();
    expect(await act(alice, 'block', alice)).to.include({ blocking: false });
    expect(await town.events()).to.equal(before);
  });

  it('answers 404 for a missing account', async () => {
    const before = await town.events();
    for (const verb of ['block', 'unblock']) {
      for (const id of ['1', 'bob', '-1', '99999999999999999999']) {
        const { status, json } = await alice.post(`/api/v1/accounts/${id}/${verb}`);
        expect([verb, id, status]).to.deep.equal([verb, id, 404]);
        expect(json).to.deep.equal({ error: 'Record not found' });
      }
    }
    expect(await town.events()).to.equal(before);
  });

  it('requires a user token with the scope', async () => {
    for (const verb of ['block', 'unblock']) {
      const path = `/api/v1/accounts/${carol.id}/${verb}`;
      await expectScope(town, alice, (who) => who.post(path), {
        enough: ['write', 'write:blocks', 'follow'],
        others: ['read', 'write:mutes'],
      });
    }
  });

  it('hides blocked accounts from lists, and the lists of the blocking user from blocked accounts', async () => {
    for (const follower of [alice, carol]) await act(follower, 'follow', bob);
    const followers = `/api/v1/accounts/${bob.id}/followers`;
    await act(alice, 'block', carol);
    expect(await names(alice, followers)).to.deep.equal(['alice']);
    expect(await names(carol, followers)).to.deep.equal(['carol']);
    expect(await names(bob, followers)).to.have.members(['alice', 'carol']);
    expect(await names(town.nobody, followers)).to.have.members(['alice', 'carol']);
    await act(bob, 'block', shy);
    expect(await names(shy, followers)).to.deep.equal([]);
    expect(await names(shy, `/api/v1/accounts/${alice.id}/following`)).to.deep.equal([]);
    expect(await names(carol, `/api/v1/accounts/${carol.id}/following`)).to.deep.equal(['bob']);
    for (const follower of [alice, carol]) await act(follower, 'unfollow', bob);
  });

  describe('GET /api/v1/blocks', () => {
    it('lists blocked accounts newest first, in pages forwards and back', async () => {
      for (const person of [bob, carol, shy]) await act(alice, 'block', person);
      expect(await names(alice, '/api/v1/blocks')).to.deep.equal(['shy', 'carol', 'bob']);
      const first = await alice.get<Account[]>('/api/v1/blocks?limit=2');
      expect(first.json.map(({ username }) => username)).to.deep.equal(['shy', 'carol']);
      expect(first.links['next']).to.match(/^limit=2&max_id=[0-9]+$/);
      const second = await alice.get<Account[]>(`/api/v1/blocks?${first.links['next'] ?? ''}`);
      expect(second.json.map(({ username }) => username)).to.deep.equal(['bob']);
      expect(second.links).not.to.have.property('next');
      expect(await names(alice, `/api/v1/blocks?${second.links['prev'] ?? ''}`)).to.deep.equal([
        'shy',
        'carol',
      ]);
      expect(await names(bob, '/api/v1/blocks')).to.deep.equal([]);
    });

    it('requires a user token with the scope', async () => {
      const path = '/api/v1/blocks';
      await expectScope(town, alice, (who) => who.get(path), {
        enough: ['read', 'read:blocks', 'follow'],
        others: ['write', 'read:mutes'],
      });
    });
  });
});

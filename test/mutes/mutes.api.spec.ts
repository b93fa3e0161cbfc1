import { expect } from 'chai';
import type { Account, MutedAccount, Relationship } from '#mastodon/schemas/index.ts';
import { type Client, describeTown, type Person } from '../support/people.ts';
import { expectScope } from '../support/scopes.ts';

describeTown('Muting accounts over the API', (town) => {
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let dora: Person;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
    bob = await town.person('bob');
    carol = await town.person('carol');
    dora = await town.person('dora');
  });
  afterEach(async () => {
    for (const target of [bob, carol, dora]) await act(alice, 'unmute', target);
  });

  const act = async (who: Client, verb: string, target: Person, body?: object): Promise<Relationship> => {
    const { status, json } = await who.post<Relationship>(`/api/v1/accounts/${target.id}/${verb}`, body);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };
  const relationship = async (who: Person, target: Person): Promise<Relationship | undefined> =>
    (await who.get<Relationship[]>(`/api/v1/accounts/relationships?id[]=${target.id}`)).json[0];
  const names = async (client: Client, path: string): Promise<string[]> =>
    (await client.get<Account[]>(path)).json.map(({ username }) => username);
  /** Waits until the mute has expired by the clock of the database. */
  const lapse = async (target: Person): Promise<void> => {
    while ((await relationship(alice, target))?.muting === true);
  };

  it('mutes notifications too by default, and without an end', async () => {
    const muted = { muting: true, muting_notifications: true, muting_expires_at: null };
    expect(await act(alice, 'mute', bob)).to.include({ id: bob.id, ...muted });
    expect(await relationship(alice, bob)).to.include(muted);
    expect(await act(alice, 'mute', bob, { notifications: false })).to.include({
      muting: true,
      muting_notifications: false,
    });
    expect(await relationship(bob, alice)).to.include({ muting: false });
    expect(await act(alice, 'unmute', bob)).to.include({ muting: false, muting_notifications: false });
  });

  it('keeps a follow unchanged', async () => {
    await act(alice, 'follow', bob);
    expect(await act(alice, 'mute', bob)).to.include({ following: true, muting: true });
    await act(alice, 'unfollow', bob);
  });

  it('stores no event when nothing changes', async () => {
    await act(alice, 'mute', bob);
    const before = await town.events();
    await act(alice, 'mute', bob, new URLSearchParams({ notifications: 'true', duration: '0' }));
    await act(alice, 'unmute', carol);
    await act(alice, 'mute', alice);
    expect(await town.events()).to.equal(before);
  });

  it('ends after its duration, without another event', async () => {
    const earliest = Date.now() + 1_000;
    const { muting_expires_at } = await act(alice, 'mute', bob, { duration: '1' });
    expect(Date.parse(muting_expires_at ?? '')).to.be.at.least(earliest);
    await act(alice, 'mute', carol, { duration: 3600 });
    const before = await town.events();
    expect(await names(alice, '/api/v1/mutes')).to.include('carol');
    await lapse(bob);
    expect(await relationship(alice, bob)).to.include({
      muting: false,
      muting_notifications: false,
      muting_expires_at: null,
    });
    expect(await names(alice, '/api/v1/mutes')).to.deep.equal(['carol']);
    expect(await town.events()).to.equal(before);
  });

  it("hides the muted account from the lists of others, not from one's own", async () => {
    await act(alice, 'follow', bob);
    await act(carol, 'follow', bob);
    await act(alice, 'mute', bob);
    expect(await names(alice, `/api/v1/accounts/${carol.id}/following`)).to.deep.equal([]);
    expect(await names(alice, `/api/v1/accounts/${alice.id}/following`)).to.deep.equal(['bob']);
    expect(await names(town.nobody, `/api/v1/accounts/${carol.id}/following`)).to.deep.equal(['bob']);
    for (const follower of [alice, carol]) await act(follower, 'unfollow', bob);
  });

  it('does not hide a follow request, which waits for an answer', async () => {
    await town.change(alice, { locked: true });
    await act(bob, 'follow', alice);
    await act(alice, 'mute', bob);
    expect(await names(alice, '/api/v1/follow_requests')).to.deep.equal(['bob']);
    await act(bob, 'unfollow', alice);
  });

  it('refuses invalid durations, and changes nothing', async () => {
    const before = await town.events();
    for (const duration of [-1, 1e12]) {
      const { status } = await alice.post(`/api/v1/accounts/${bob.id}/mute`, { duration });
      expect([duration, status]).to.deep.equal([duration, 422]);
    }
    expect(await town.events()).to.equal(before);
  });

  it('replies 404 for an unknown account', async () => {
    for (const verb of ['mute', 'unmute']) {
      for (const id of ['1', 'bob', '-1', '99999999999999999999']) {
        const { status, json } = await alice.post(`/api/v1/accounts/${id}/${verb}`);
        expect([verb, id, status]).to.deep.equal([verb, id, 404]);
        expect(json).to.deep.equal({ error: 'Record not found' });
      }
    }
  });

  it('needs a token of a user with the scope', async () => {
    for (const verb of ['mute', 'unmute']) {
      const path = `/api/v1/accounts/${carol.id}/${verb}`;
      await expectScope(town, alice, (who) => who.post(path), {
        enough: ['write', 'write:mutes', 'follow'],
        others: ['read', 'write:blocks'],
      });
    }
  });

  describe('GET /api/v1/mutes', () => {
    it('lists mutes newest first with their end, page by page, forward and back', async () => {
      await act(alice, 'mute', bob);
      await act(alice, 'mute', carol, { duration: 3600 });
      await act(alice, 'mute', dora);
      const first = await alice.get<MutedAccount[]>('/api/v1/mutes?limit=2');
      expect(first.json.map(({ username }) => username)).to.deep.equal(['dora', 'carol']);
      expect(first.json[0]?.mute_expires_at).to.equal(null);
      expect(first.json[1]?.mute_expires_at).to.equal((await relationship(alice, carol))?.muting_expires_at);
      expect(first.links['next']).to.match(/^limit=2&max_id=[0-9]+$/);
      const second = await alice.get<MutedAccount[]>(`/api/v1/mutes?${first.links['next'] ?? ''}`);
      expect(second.json.map(({ username }) => username)).to.deep.equal(['bob']);
      expect(second.links).not.to.have.property('next');
      expect(await names(alice, `/api/v1/mutes?${second.links['prev'] ?? ''}`)).to.deep.equal([
        'dora',
        'carol',
      ]);
    });

    it('fills a page past expired mutes', async () => {
      await act(alice, 'mute', bob);
      await act(alice, 'mute', carol, { duration: 1 });
      await lapse(carol);
      expect(await names(alice, '/api/v1/mutes?limit=1')).to.deep.equal(['bob']);
    });

    it('needs a token of a user with the scope', async () => {
      const path = '/api/v1/mutes';
      await expectScope(town, alice, (who) => who.get(path), {
        enough: ['read', 'read:mutes', 'follow'],
        others: ['write', 'read:blocks'],
      });
    });
  });
});

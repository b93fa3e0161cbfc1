import { expect } from 'chai';
import type { Relationship } from '#mastodon/schemas/index.ts';
import { describeTown, type Person } from '../support/people.ts';
import { expectScope } from '../support/scopes.ts';

describeTown('Following an account', (town) => {
  let alice: Person;
  let bob: Person;
  let locked: Person;
  let suspended: Person;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
    bob = await town.person('bob');
    locked = await town.person('locked', { locked: true });
    suspended = await town.person('suspended');
    await town.suspend(suspended);
  });

  const act = async (who: Person, verb: string, target: string, body?: object): Promise<Relationship> => {
    const { status, json } = await who.post<Relationship>(`/api/v1/accounts/${target}/${verb}`, body);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };
  const relationship = async (who: Person, target: Person): Promise<Relationship | undefined> =>
    (await who.get<Relationship[]>(`/api/v1/accounts/relationships?id[]=${target.id}`)).json[0];
  const counts = async (of: Person): Promise<[number, number]> => {
    const { json } = await town.nobody.get<{ followers_count: number; following_count: number }>(
      `/api/v1/accounts/${of.id}`,
    );
    return [json.followers_count, json.following_count];
  };
  afterEach(async () => {
    for (const target of [bob, locked]) await act(alice, 'unfollow', target.id);
  });

  it('returns the new relationship, which both sides see', async () => {
    const reply = await act(alice, 'follow', bob.id);
    expect(reply).to.deep.equal({
      id: bob.id,
      following: true,
      showing_reblogs: true,
      notifying: false,
      languages: null,
      followed_by: false,
      blocking: false,
      muting: false,
      muting_notifications: false,
      muting_expires_at: null,
      requested: false,
      requested_by: false,
      domain_blocking: false,
      endorsed: false,
      note: '',
    });
    expect(await relationship(alice, bob)).to.deep.equal(reply);
    expect(await relationship(bob, alice)).to.include({ id: alice.id, following: false, followed_by: true });
    expect(await counts(bob)).to.deep.equal([1, 0]);
    expect(await counts(alice)).to.deep.equal([0, 1]);
  });

  it('records nothing when nothing changes', async () => {
    const first = await act(alice, 'follow', bob.id, { reblogs: false });
    const before = await town.events();
    expect(await act(alice, 'follow', bob.id)).to.deep.equal(first);
    expect(await act(alice, 'follow', bob.id, { reblogs: false })).to.deep.equal(first);
    expect(await town.events()).to.equal(before);
    expect(await counts(bob)).to.deep.equal([1, 0]);
  });

  it('records one follow for concurrent requests', async () => {
    const before = await town.events();
    await Promise.all(Array.from({ length: 8 }, () => act(alice, 'follow', bob.id)));
    expect(await town.events()).to.equal(before + 1n);
    expect(await counts(bob)).to.deep.equal([1, 0]);
  });

  it('changes only the given settings', async () => {
    await act(alice, 'follow', bob.id, { reblogs: false, notify: true, languages: ['en', 'de'] });
    expect(await act(alice, 'follow', bob.id, { reblogs: 'true' })).to.include({
      showing_reblogs: true,
      notifying: true,
    });
    expect((await relationship(alice, bob))?.languages).to.deep.equal(['en', 'de']);
    expect((await act(alice, 'follow', bob.id, { languages: null })).languages).to.deep.equal(['en', 'de']);
    expect((await act(alice, 'follow', bob.id, { languages: [] })).languages).to.deep.equal([]);
  });

  it('keeps languages as given, and reads an empty list as all languages', async () => {
    const given = ['de', 'en', 'de'];
    expect((await act(alice, 'follow', bob.id, { languages: given })).languages).to.deep.equal(given);
    await act(alice, 'follow', bob.id, { languages: [], notify: true });
    const { json } = await bob.post<{ id: string }>('/api/v1/statuses', {
      status: 'Bonjour',
      language: 'fr',
      visibility: 'public',
    });
    const home = await alice.get<{ id: string }[]>('/api/v1/timelines/home');
    expect(home.json.map(({ id }) => id)).to.include(json.id);
    const told = await alice.get<{ type: string }[]>('/api/v1/notifications?types[]=status');
    expect(told.json.map(({ type }) => type)).to.deep.equal(['status']);
  });

  it('accepts forms, as most apps send them', async () => {
    const form = new URLSearchParams([
      ['reblogs', '0'],
      ['notify', 'true'],
      ['languages[]', 'zh-TW'],
      ['languages[]', 'en'],
    ]);
    const reply = await act(alice, 'follow', bob.id, form);
    expect(reply).to.include({ following: true, showing_reblogs: false, notifying: true });
    expect(reply.languages).to.deep.equal(['zh-TW', 'en']);
  });

  it('refuses an unknown language and changes nothing', async () => {
    const before = await town.events();
    for (const body of [
      { languages: ['klingonish'] },
      { languages: ['pt-br'] },
      { languages: 'x'.repeat(100) },
    ]) {
      const { status } = await alice.post(`/api/v1/accounts/${bob.id}/follow`, body);
      expect(status).to.equal(422);
    }
    expect(await town.events()).to.equal(before);
  });

  it('sends a request to a locked account', async () => {
    expect(await act(alice, 'follow', locked.id, { reblogs: false })).to.include({
      following: false,
      requested: true,
      showing_reblogs: false,
    });
    expect(await act(alice, 'follow', locked.id, { reblogs: true })).to.include({
      requested: true,
      showing_reblogs: true,
    });
    expect(await relationship(locked, alice)).to.include({ requested_by: true, followed_by: false });
    expect(await counts(locked)).to.deep.equal([0, 0]);
  });

  it('ends with unfollow, which also withdraws a request', async () => {
    await act(alice, 'follow', bob.id);
    await act(alice, 'follow', locked.id);
    const unfollowed = { following: false, requested: false, showing_reblogs: false };
    expect(await act(alice, 'unfollow', bob.id)).to.include(unfollowed);
    expect(await act(alice, 'unfollow', locked.id)).to.include(unfollowed);
    expect(await counts(bob)).to.deep.equal([0, 0]);
    const before = await town.events();
    expect(await act(alice, 'unfollow', bob.id)).to.include(unfollowed);
    expect(await town.events()).to.equal(before);
  });

  it('shows the posts of the followed account in the home timeline', async () => {
    const posted = await bob.post<{ id: string }>('/api/v1/statuses', { status: 'hello' });
    const home = async (): Promise<string[]> =>
      (await alice.get<{ id: string }[]>('/api/v1/timelines/home')).json.map(({ id }) => id);
    expect(await home()).not.to.include(posted.json.id);
    await act(alice, 'follow', bob.id);
    expect(await home()).to.include(posted.json.id);
    await act(alice, 'unfollow', bob.id);
    expect(await home()).not.to.include(posted.json.id);
  });

  it('refuses to follow oneself', async () => {
    const before = await town.events();
    const { status, json } = await alice.post(`/api/v1/accounts/${alice.id}/follow`);
    expect([status, json]).to.deep.equal([403, { error: 'Following your own account is not allowed' }]);
    expect(await town.events()).to.equal(before);
  });

  it('answers 404 for a missing or suspended account', async () => {
    const before = await town.events();
    for (const id of ['1', 'bob', '-1', '99999999999999999999', '0x1', suspended.id]) {
      const { status, json } = await alice.post(`/api/v1/accounts/${id}/follow`);
      expect([id, status]).to.deep.equal([id, 404]);
      expect(json).to.deep.equal({ error: 'Record not found' });
    }
    for (const id of ['1', 'bob', '99999999999999999999']) {
      expect((await alice.post(`/api/v1/accounts/${id}/unfollow`)).status).to.equal(404);
    }
    expect(await town.events()).to.equal(before);
  });

  it('requires a user token with the scope', async () => {
    for (const verb of ['follow', 'unfollow']) {
      const path = `/api/v1/accounts/${bob.id}/${verb}`;
      expect((await town.withToken('made-up').post(path)).status).to.equal(401);
      await expectScope(town, alice, (who) => who.post(path), {
        enough: ['write', 'write:follows', 'follow'],
        others: ['read', 'write:statuses'],
      });
    }
  });

  describe('GET /api/v1/accounts/relationships', () => {
    it('returns relationships in order of ids and leaves out unknown accounts', async () => {
      await act(alice, 'follow', bob.id);
      const ids = [locked.id, '1', 'x', bob.id, '99999999999999999999', alice.id, bob.id];
      const { status, json } = await alice.get<Relationship[]>(
        `/api/v1/accounts/relationships?${ids.map((id) => `id[]=${id}`).join('&')}`,
      );
      expect(status).to.equal(200);
      expect(json.map(({ id }) => id)).to.deep.equal([alice.id, bob.id, locked.id].sort());
      expect(json.filter(({ following }) => following).map(({ id }) => id)).to.deep.equal([bob.id]);
    });

    it('accepts a single id or none', async () => {
      const one = await alice.get<Relationship[]>(`/api/v1/accounts/relationships?id=${bob.id}`);
      expect(one.json.map(({ id }) => id)).to.deep.equal([bob.id]);
      expect((await alice.get('/api/v1/accounts/relationships')).json).to.deep.equal([]);
    });

    it('includes suspended accounts only on request', async () => {
      const path = `/api/v1/accounts/relationships?id[]=${suspended.id}`;
      expect((await alice.get(path)).json).to.deep.equal([]);
      expect((await alice.get<unknown[]>(`${path}&with_suspended=true`)).json).to.have.length(1);
    });

    it('requires a user token with the scope', async () => {
      const path = `/api/v1/accounts/relationships?id[]=${bob.id}`;
      await expectScope(town, alice, (who) => who.get(path), {
        enough: ['read:follows'],
        others: ['read:statuses', 'write'],
      });
    });
  });
});

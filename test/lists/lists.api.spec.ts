import { expect } from 'chai';
import type { Account, List } from '#mastodon/schemas/index.ts';
import { type Answer, describeTown, ok, type Person } from '../support/people.ts';

describeTown('Lists', function (town) {
  this.timeout(60_000);
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let dan: Person;
  let eve: Person;
  before(async () => {
    alice = await town.person('alice');
    bob = await town.person('bob');
    carol = await town.person('carol');
    dan = await town.person('dan');
    eve = await town.person('eve');
    for (const person of [bob, carol, dan]) await alice.post(`/api/v1/accounts/${person.id}/follow`);
  });

  const make = (body: object = {}, who = alice): Promise<List> =>
    ok(who.post<List>('/api/v1/lists', { title: 'Friends', ...body }));
  const add = (list: List, ...people: { id: string }[]) =>
    alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: people.map(({ id }) => id) });
  const members = async (list: List): Promise<string[]> =>
    (await ok(alice.get<Account[]>(`/api/v1/lists/${list.id}/accounts`))).map(({ username }) => username);

  it('are created, shown, changed and deleted', async () => {
    const list = await make();
    expect(list).to.deep.equal({ id: list.id, title: 'Friends', replies_policy: 'list', exclusive: false });
    const path = `/api/v1/lists/${list.id}`;
    expect(await ok(alice.get(path))).to.deep.equal(list);
    const changed = await ok(
      alice.put<List>(path, { title: 'Foes', replies_policy: 'none', exclusive: true }),
    );
    expect(changed).to.deep.equal({ id: list.id, title: 'Foes', replies_policy: 'none', exclusive: true });
    expect(await ok(alice.put(path, { title: 'Both' }))).to.deep.equal({ ...changed, title: 'Both' });
    const closed = { ...changed, title: 'Both', exclusive: false };
    expect(await ok(alice.put(path, { exclusive: false })), 'a title that is not given stays').to.deep.equal(
      closed,
    );
    expect(await ok(alice.put(path))).to.deep.equal(closed);
    await add(list, bob);
    expect(await ok(alice.delete(path))).to.deep.equal({});
    for (const each of [path, `${path}/accounts`]) expect((await alice.get(each)).status).to.equal(404);
    expect(await ok(alice.get<List[]>(`/api/v1/accounts/${bob.id}/lists`))).to.deep.equal([]);
  });

  it('refuse invalid input with a validation error, and stay unchanged', async () => {
    const list = await make();
    const before = await town.events();
    const path = `/api/v1/lists/${list.id}`;
    const attempts: [object, string][] = [
      [{ title: null }, "Validation failed: Title can't be blank"],
      [{ title: '' }, "Validation failed: Title can't be blank"],
      [{ title: 'x'.repeat(257) }, 'Validation failed: Title is too long (maximum is 256 characters)'],
      [
        { title: 'x', replies_policy: 'some' },
        'Validation failed: Replies policy is not included in the list',
      ],
    ];
    for (const [body, error] of attempts) {
      for (const answer of [await alice.post('/api/v1/lists', body), await alice.put(path, body)]) {
        expect([answer.status, (answer.json as { error: string }).error]).to.deep.equal([422, error]);
      }
    }
    for (const body of [{}, { title: ['x'] }, { title: 'x', replies_policy: 1 }]) {
      expect((await alice.post('/api/v1/lists', body)).status).to.equal(422);
    }
    expect(await town.events()).to.equal(before);
  });

  it('contain accounts that their owner follows', async () => {
    const list = await make();
    expect(await ok(add(list, bob, carol))).to.deep.equal({});
    expect(await members(list)).to.deep.equal(['carol', 'bob']);
    expect(await ok(alice.get<List[]>(`/api/v1/accounts/${bob.id}/lists`))).to.deep.equal([list]);
    expect(await ok(bob.get(`/api/v1/accounts/${bob.id}/lists`))).to.deep.equal([]);
    expect((await alice.get('/api/v1/accounts/1/lists')).status).to.equal(404);

    const before = await town.events();
    // Adds it together with an account that she follows: both or neither.
    for (const other of [{ id: '1' }, { id: 'x' }]) {
      expect((await add(list, dan, other)).status, other.id).to.equal(404);
    }
    const stranger = await add(list, dan, eve);
    expect([stranger.status, stranger.json]).to.deep.equal([
      422,
      {
        error: 'Validation failed: Account must be a followed account',
        details: { account: [{ error: 'ERR_INVALID', description: 'must be a followed account' }] },
      },
    ]);
    const twice = await add(list, dan, bob);
    expect([twice.status, twice.json]).to.deep.equal([
      422,
      {
        error: 'Validation failed: Account is already on the list',
        details: { account: [{ error: 'ERR_TAKEN', description: 'is already on the list' }] },
      },
    ]);
    expect(await ok(add(list))).to.deep.equal({});
    expect(await town.events()).to.equal(before);

    const remove = (...people: Person[]) =>
      alice.delete(`/api/v1/lists/${list.id}/accounts`, { account_ids: people.map(({ id }) => id) });
    expect(await ok(remove(bob, eve))).to.deep.equal({});
    expect(await ok(remove(bob))).to.deep.equal({});
    expect(await members(list)).to.deep.equal(['carol']);
  });

  it('may contain their owner, whose posts they show', async () => {
    const list = await make();
    expect(await ok(add(list, alice))).to.deep.equal({});
    expect(await members(list)).to.deep.equal(['alice']);
    const { id } = await ok(alice.post<{ id: string }>('/api/v1/statuses', { status: 'mine' }));
    const shown = await ok(alice.get<{ id: string }[]>(`/api/v1/timelines/list/${list.id}`));
    expect(shown.map((post) => post.id)).to.deep.equal([id]);
    expect(await ok(alice.get<List[]>(`/api/v1/accounts/${alice.id}/lists`))).to.deep.equal([list]);
  });

  it('may contain accounts with a pending follow request, until the request ends', async () => {
    const shy = await town.person('shy', { locked: true });
    const list = await make();
    await alice.post(`/api/v1/accounts/${shy.id}/follow`);
    expect((await add(list, shy)).status).to.equal(200);
    expect(await members(list)).to.deep.equal(['shy']);
    await shy.post(`/api/v1/follow_requests/${alice.id}/authorize`);
    await town.waitUntilIdle();
    expect((await add(list, shy)).status).to.equal(422);
    expect(await members(list)).to.deep.equal(['shy']);
    const coy = await town.person('coy', { locked: true });
    await alice.post(`/api/v1/accounts/${coy.id}/follow`);
    await add(list, coy);
    expect(await members(list)).to.deep.equal(['coy', 'shy']);
    await coy.post(`/api/v1/follow_requests/${alice.id}/reject`);
    await town.waitUntilIdle();
    expect(await members(list)).to.deep.equal(['shy']);
  });

  it('lose a member when the follow ends, and a later follow does not restore it', async () => {
    const list = await make();
    await add(list, bob, carol);
    await alice.post(`/api/v1/accounts/${bob.id}/unfollow`);
    expect(await members(list)).to.deep.equal(['carol']);
    expect(await ok(alice.get(`/api/v1/accounts/${bob.id}/lists`))).to.deep.equal([]);
    await alice.post(`/api/v1/accounts/${bob.id}/follow`);
    expect(await members(list)).to.deep.equal(['carol']);
    expect((await add(list, bob)).status).to.equal(200);
    expect(await members(list)).to.deep.equal(['carol', 'bob']);
  });

  it('keep both members when two requests add at once', async () => {
    const list = await make();
    const answers = await Promise.all([add(list, bob), add(list, carol), add(list, dan)]);
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(await members(list)).to.have.members(['bob', 'carol', 'dan']);
  });

  it('show their members page by page, or all with a limit of 0', async () => {
    const list = await make();
    await add(list, bob, carol, dan);
    const path = `/api/v1/lists/${list.id}/accounts`;
    const names = (answer: Answer<Account[]>): string[] => answer.json.map(({ username }) => username);
    const first = await alice.get<Account[]>(`${path}?limit=2`);
    expect(names(first)).to.deep.equal(['dan', 'carol']);
    const second = await alice.get<Account[]>(`${path}?${first.links['next'] ?? ''}`);
    expect(names(second)).to.deep.equal(['bob']);
    const back = await alice.get<Account[]>(`${path}?${second.links['prev'] ?? ''}`);
    expect(names(back)).to.deep.equal(['dan', 'carol']);
    const all = await alice.get<Account[]>(`${path}?limit=0`);
    expect(names(all)).to.deep.equal(['dan', 'carol', 'bob']);
    expect(all.links).to.deep.equal({});
    for (const [limit, count] of [
      ['-1', 1],
      ['x', 0],
      ['', 0],
      ['999', 3],
    ] as const) {
      expect(names(await alice.get<Account[]>(`${path}?limit=${limit}`)), limit).to.have.length(count);
    }
  });

  it('are listed all at once, the oldest first', async () => {
    const owner = await town.person('owner');
    for (const title of ['one', 'two', 'three']) await make({ title }, owner);
    const { json, links } = await owner.get<List[]>('/api/v1/lists?limit=2');
    expect(json.map(({ title }) => title)).to.deep.equal(['one', 'two', 'three']);
    expect(links).to.deep.equal({});
  });

  it('are limited to fifty', async () => {
    const owner = await town.person('collector');
    for (let number = 0; number < 50; number += 1) await make({ title: String(number) }, owner);
    const { status, json } = await owner.post('/api/v1/lists', { title: 'one more' });
    expect([status, json]).to.deep.equal([
      422,
      { error: 'Validation failed: You have reached the maximum number of lists' },
    ]);
    expect(await ok(owner.get<List[]>('/api/v1/lists'))).to.have.length(50);
  });

  it('are private: other users get the replies for missing lists', async () => {
    const list = await make();
    await add(list, carol);
    const path = `/api/v1/lists/${list.id}`;
    const before = await town.events();
    for (const answer of [
      await bob.get(path),
      await bob.put(path, { title: 'mine' }),
      await bob.delete(path),
      await bob.get(`${path}/accounts`),
      await bob.post(`${path}/accounts`, { account_ids: [carol.id] }),
      await bob.delete(`${path}/accounts`, { account_ids: [carol.id] }),
    ]) {
      expect([answer.status, answer.json]).to.deep.equal([404, { error: 'Record not found' }]);
    }
    expect(await town.events()).to.equal(before);
    expect(await members(list)).to.deep.equal(['carol']);
  });

  it('need a token with the scope', async () => {
    const reader = await alice.withScopes('read:lists');
    const writer = await alice.withScopes('write:lists');
    expect((await reader.get('/api/v1/lists')).status).to.equal(200);
    expect((await reader.post('/api/v1/lists', { title: 'x' })).status).to.equal(403);
    expect((await writer.get('/api/v1/lists')).status).to.equal(403);
    expect((await writer.post('/api/v1/lists', { title: 'x' })).status).to.equal(200);
    expect((await town.nobody.get('/api/v1/lists')).status).to.equal(401);
  });
});

import { expect } from 'chai';
import type { Account, Relationship } from '#mastodon/schemas/index.ts';
import { recipientsOf } from '#queries/federation/index.ts';
import { type Client, describeTown, type Person } from '../support/people.ts';
import { letAccept, letFollow, remoteAccount } from '../support/remote.ts';
import { expectScope } from '../support/scopes.ts';

const PATH = '/api/v1/domain_blocks';

describeTown('Blocking domains over the API', (town) => {
  let alice: Person;
  let bob: Person;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
    bob = await town.person('bob');
  });
  afterEach(async () => {
    for (const domain of await list(alice)) await alice.delete(PATH, { domain });
  });

  const list = async (who: Person, query = ''): Promise<string[]> =>
    (await who.get<string[]>(`${PATH}${query}`)).json;
  const change = async (method: 'post' | 'delete', body: object): Promise<void> => {
    const { status, json } = await alice[method](PATH, body);
    expect([status, json]).to.deep.equal([200, {}]);
  };
  const relationship = async (target: string): Promise<Relationship | undefined> =>
    (await alice.get<Relationship[]>(`/api/v1/accounts/relationships?id[]=${target}`)).json[0];
  const names = async (who: Person, path: string): Promise<string[]> =>
    (await who.get<Account[]>(path)).json.map(({ username }) => username);

  it('lists the domain once, in normalised form, to the user who blocked it', async () => {
    await change('post', { domain: 'Far.Example' });
    await town.waitUntilIdle();
    const before = await town.events();
    await change('post', new URLSearchParams({ domain: ' far.example/' }));
    expect(await town.events()).to.equal(before);
    expect(await list(alice)).to.deep.equal(['far.example']);
    expect(await list(bob)).to.deep.equal([]);
  });

  it('unblocks with DELETE, with the domain in the body or in the query', async () => {
    await change('post', { domain: 'far.example' });
    await change('delete', { domain: 'FAR.example' });
    expect(await list(alice)).to.deep.equal([]);
    await change('post', { domain: 'far.example' });
    expect((await alice.delete(`${PATH}?domain=far.example`)).status).to.equal(200);
    expect(await list(alice)).to.deep.equal([]);
    const before = await town.events();
    await change('delete', { domain: 'far.example' });
    expect(await town.events()).to.equal(before);
  });

  it('previews how many follows and followers the block would end', async () => {
    const carol = await town.person('carol');
    const [fan, idol, other] = await Promise.all([
      remoteAccount(town.app, 'fan', 'lost.example'),
      remoteAccount(town.app, 'idol', 'lost.example'),
      remoteAccount(town.app, 'other', 'kept.example'),
    ]);
    for (const id of [fan, other]) await letFollow(town.app, id, carol.id);
    const preview = (domain: string, who: Client = carol) => who.get(`${PATH}/preview?domain=${domain}`);
    expect((await preview('Lost.example')).json).to.deep.equal({ following_count: 0, followers_count: 1 });
    await letFollow(town.app, carol.id, idol);
    await letAccept(town.app, idol, carol.id);
    expect((await preview('lost.example')).json).to.deep.equal({ following_count: 1, followers_count: 1 });
    expect((await preview('lost.example', bob)).json).to.deep.equal({
      following_count: 0,
      followers_count: 0,
    });
    expect((await preview('nobody.example')).json).to.deep.equal({ following_count: 0, followers_count: 0 });
    for (const path of [`${PATH}/preview`, `${PATH}/preview?domain=no%20domain`]) {
      expect((await carol.get(path)).json).to.deep.equal({ following_count: 0, followers_count: 0 });
    }
    expect((await preview('lost.example', await carol.withScopes('read'))).status).to.equal(403);
    expect(await list(carol)).to.deep.equal([]);
  });

  it('shows the block in relationships with accounts of the domain', async () => {
    const far = await remoteAccount(town.app, 'one', 'one.example');
    expect(await relationship(far)).to.include({ domain_blocking: false });
    await change('post', { domain: 'one.example' });
    expect(await relationship(far)).to.include({ domain_blocking: true, blocking: false });
    expect(await relationship(bob.id)).to.include({ domain_blocking: false });
  });

  it('removes all followers and follow requests from the domain, and no others', async () => {
    const [follower, asking, other] = await Promise.all([
      remoteAccount(town.app, 'follower', 'two.example'),
      remoteAccount(town.app, 'asking', 'two.example'),
      remoteAccount(town.app, 'other', 'three.example'),
    ]);
    for (const id of [follower, other, bob.id]) await letFollow(town.app, id, alice.id);
    await town.change(alice, { locked: true });
    await letFollow(town.app, asking, alice.id);
    await change('post', { domain: 'two.example' });
    await town.waitUntilIdle();
    expect(await names(alice, `/api/v1/accounts/${alice.id}/followers`)).to.have.members(['other', 'bob']);
    expect(await names(alice, '/api/v1/follow_requests')).to.deep.equal([]);
    await change('delete', { domain: 'two.example' });
    expect(await relationship(follower)).to.include({ followed_by: false, requested_by: false });
    await town.change(alice, { locked: false });
  });

  const fans = async (): Promise<string[]> =>
    (await names(alice, `/api/v1/accounts/${alice.id}/followers?limit=80`)).filter((name) =>
      name.startsWith('fan'),
    );
  const followedBy = async (count: number, domain: string): Promise<void> => {
    const ids = await Promise.all(
      Array.from({ length: count }, (_, index) => remoteAccount(town.app, `fan${index}`, domain)),
    );
    await Promise.all(ids.map((id) => letFollow(town.app, id, alice.id)));
  };

  it('removes more followers than one batch holds', async function () {
    this.timeout(60_000);
    await followedBy(110, 'many.example');
    await change('post', { domain: 'many.example' });
    await town.waitUntilIdle();
    expect(await fans()).to.deep.equal([]);
  });

  it("prevents follows in both directions and withdraws the user's own requests", async () => {
    const far = await remoteAccount(town.app, 'four', 'four.example');
    const friend = await remoteAccount(town.app, 'friend', 'four.example');
    await letFollow(town.app, alice.id, friend);
    await change('post', { domain: 'four.example' });
    const { status, json } = await alice.post(`/api/v1/accounts/${far}/follow`);
    expect([status, json]).to.deep.equal([403, { error: 'This action is not allowed' }]);
    const refused = await letFollow(town.app, far, alice.id).catch((error: unknown) => error);
    expect(refused).to.have.property('code', 'forbidden');
    await town.waitUntilIdle();
    expect(await relationship(friend)).to.include({ requested: false, following: false });
  });

  it('applies to every port and every subdomain, and to no other domain', async () => {
    const hidden = await Promise.all([
      remoteAccount(town.app, 'port', 'five.example:8443'),
      remoteAccount(town.app, 'below', 'pods.five.example'),
      remoteAccount(town.app, 'both', 'a.pods.five.example:444'),
    ]);
    const others = await Promise.all([
      remoteAccount(town.app, 'other', 'notfive.example'),
      remoteAccount(town.app, 'above', 'example'),
      remoteAccount(town.app, 'longer', 'five.example.org'),
    ]);
    for (const id of [...hidden, ...others]) await letFollow(town.app, id, alice.id);
    const preview = `${PATH}/preview?domain=five.example`;
    expect((await alice.get(preview)).json).to.deep.include({ followers_count: 3 });
    await change('post', { domain: 'five.example' });
    await town.waitUntilIdle();
    for (const id of hidden) {
      expect(await relationship(id)).to.include({ domain_blocking: true, followed_by: false });
      expect((await alice.post(`/api/v1/accounts/${id}/follow`)).status).to.equal(403);
    }
    for (const id of others)
      expect(await relationship(id)).to.include({ domain_blocking: false, followed_by: true });
    const { inboxes } = await recipientsOf(
      { db: town.app.db, instance: { limitedFederation: false } },
      { accounts: [...hidden, ...others], author: alice.id },
    );
    expect(inboxes.map((inbox) => new URL(inbox).host)).to.have.members([
      'notfive.example',
      'example',
      'five.example.org',
    ]);
  });

  it('refuses to block an invalid domain, and answers an attempt to unblock it with success', async () => {
    const before = await town.events();
    for (const [body, error] of [
      [{}, "Validation failed: Domain can't be blank"],
      [{ domain: '' }, "Validation failed: Domain can't be blank"],
      [{ domain: 'far example' }, 'Validation failed: Domain is not a valid domain name'],
      [{ domain: 'x'.repeat(300) }, 'Validation failed: Domain is not a valid domain name'],
    ] as const) {
      const { status, json } = await alice.post<{ error: string }>(PATH, body);
      expect([status, json.error]).to.deep.equal([422, error]);
      expect((await alice.delete(PATH, body)).status).to.equal(200);
    }
    for (const method of ['post', 'delete'] as const) {
      expect((await alice[method](PATH, { domain: 'x'.repeat(5_000) })).status).to.equal(422);
    }
    expect(await town.events()).to.equal(before);
  });

  it('lists domains newest first, and pages in both directions', async () => {
    for (const name of ['a', 'b', 'c']) await change('post', { domain: `${name}.example` });
    const first = await alice.get<string[]>(`${PATH}?limit=2`);
    expect(first.json).to.deep.equal(['c.example', 'b.example']);
    expect(first.links['next']).to.match(/^limit=2&max_id=[0-9]+$/);
    const second = await alice.get<string[]>(`${PATH}?${first.links['next'] ?? ''}`);
    expect(second.json).to.deep.equal(['a.example']);
    expect(second.links).not.to.have.property('next');
    expect(await list(alice, `?${second.links['prev'] ?? ''}`)).to.deep.equal(['c.example', 'b.example']);
  });

  it("requires a user's token with the scope", async () => {
    const body = { domain: 'scope.example' };
    for (const method of ['post', 'delete'] as const) {
      await expectScope(town, alice, (who) => who[method](PATH, body), {
        enough: ['write', 'write:blocks', 'follow'],
        others: ['read', 'write:mutes'],
      });
    }
    await expectScope(town, alice, (who) => who.get(PATH), {
      enough: ['read', 'read:blocks', 'follow'],
      others: ['write', 'read:mutes'],
    });
  });
});

import { expect } from 'chai';
import type { Account, Relationship } from '#mastodon/schemas/index.ts';
import { type Client, describeTown, type Person } from '../support/people.ts';
import { expectScope } from '../support/scopes.ts';

describeTown('Accounts featured on a profile', (town) => {
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let stranger: Person;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
    bob = await town.person('bob');
    carol = await town.person('carol');
    stranger = await town.person('stranger');
  });
  beforeEach(async () => {
    for (const target of [bob, carol]) await act(alice, 'follow', target);
  });
  afterEach(async () => {
    for (const target of [bob, carol]) await act(alice, 'unfollow', target);
  });

  const act = async (who: Client, verb: string, target: Person): Promise<Relationship> => {
    const { status, json } = await who.post<Relationship>(`/api/v1/accounts/${target.id}/${verb}`);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };
  const names = async (client: Client, path: string): Promise<string[]> => {
    const { status, json } = await client.get<Account[]>(path);
    expect(status).to.equal(200);
    return json.map(({ username }) => username);
  };
  const own = '/api/v1/endorsements';
  const profileOf = (person: Person): string => `/api/v1/accounts/${person.id}/endorsements`;

  for (const [begin, end] of [
    ['endorse', 'unendorse'],
    ['pin', 'unpin'],
  ] as const) {
    it(`are added by ${begin} and removed by ${end}, also when repeated`, async () => {
      expect(await act(alice, begin, bob)).to.include({ id: bob.id, endorsed: true });
      const before = await town.events();
      expect(await act(alice, begin, bob)).to.include({ endorsed: true });
      expect(await town.events()).to.equal(before);
      expect(await names(alice, own)).to.deep.equal(['bob']);
      expect(await act(alice, end, bob)).to.include({ endorsed: false, following: true });
      expect(await act(alice, end, bob)).to.include({ endorsed: false });
      expect(await town.events()).to.equal(before + 1n);
      expect(await names(alice, own)).to.deep.equal([]);
    });
  }

  it('must be followed first', async () => {
    for (const target of [stranger, alice]) {
      const { status, json } = await alice.post<{ error: string }>(`/api/v1/accounts/${target.id}/endorse`);
      expect(status).to.equal(422);
      expect(json.error).to.match(/^Validation failed: You must be already following/);
    }
  });

  it('are removed when either side ends the follow', async () => {
    await act(alice, 'endorse', bob);
    await act(alice, 'unfollow', bob);
    expect(await act(alice, 'follow', bob)).to.include({ endorsed: false });
    await act(alice, 'endorse', bob);
    await act(bob, 'remove_from_followers', alice);
    expect(await names(alice, own)).to.deep.equal([]);
  });

  it('are listed to everyone, newest first, with pages in both directions', async () => {
    for (const target of [bob, carol]) await act(alice, 'endorse', target);
    for (const [client, path] of [
      [alice, own],
      [town.nobody, profileOf(alice)],
      [stranger, profileOf(alice)],
    ] as const) {
      expect(await names(client, path)).to.deep.equal(['carol', 'bob']);
      const first = await client.get<Account[]>(`${path}?limit=1`);
      expect(first.json.map(({ username }) => username)).to.deep.equal(['carol']);
      const second = await client.get<Account[]>(`${path}?${first.links['next'] ?? ''}`);
      expect(second.json.map(({ username }) => username)).to.deep.equal(['bob']);
      expect(await names(client, `${path}?${second.links['prev'] ?? ''}`)).to.deep.equal(['carol']);
    }
    expect(await names(town.nobody, profileOf(bob))).to.deep.equal([]);
  });

  it('are hidden from users whom the owner blocks, and omit accounts that the reader blocks', async () => {
    for (const target of [bob, carol]) await act(alice, 'endorse', target);
    await act(stranger, 'block', bob);
    expect(await names(stranger, profileOf(alice))).to.deep.equal(['carol']);
    await act(alice, 'block', stranger);
    expect(await names(stranger, profileOf(alice))).to.deep.equal([]);
    await act(alice, 'unblock', stranger);
    await act(stranger, 'unblock', bob);
  });

  it('are not found for an unknown account', async () => {
    for (const id of ['1', 'alice', '99999999999999999999']) {
      expect((await town.nobody.get(`/api/v1/accounts/${id}/endorsements`)).status).to.equal(404);
      for (const verb of ['endorse', 'unendorse', 'pin', 'unpin']) {
        expect((await alice.post(`/api/v1/accounts/${id}/${verb}`)).status).to.equal(404);
      }
    }
  });

  it("require a user's token with the scope", async () => {
    for (const verb of ['endorse', 'pin', 'unendorse', 'unpin']) {
      const path = `/api/v1/accounts/${bob.id}/${verb}`;
      await expectScope(town, alice, (who) => who.post(path), {
        enough: ['write:accounts'],
        others: ['read', 'follow'],
      });
    }
    await expectScope(town, alice, (who) => who.get(own), {
      enough: ['read:accounts'],
      others: ['write', 'follow'],
    });
  });
});

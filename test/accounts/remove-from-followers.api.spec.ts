import { expect } from 'chai';
import type { Relationship } from '#mastodon/schemas/index.ts';
import { describeTown, type Person } from '../support/people.ts';

describeTown('Followers and identity proofs', (town) => {
  let alice: Person;
  let bob: Person;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
    bob = await town.person('bob');
  });

  it("end the follow of the removed follower, not one's own follow", async () => {
    await bob.post(`/api/v1/accounts/${alice.id}/follow`);
    await alice.post(`/api/v1/accounts/${bob.id}/follow`);
    const path = `/api/v1/accounts/${bob.id}/remove_from_followers`;
    const { json } = await alice.post<Relationship>(path);
    expect(json).to.include({ id: bob.id, followed_by: false, following: true });
    const before = await town.events();
    expect((await alice.post(path)).status).to.equal(200);
    expect(await town.events()).to.equal(before);
    expect((await alice.post('/api/v1/accounts/1/remove_from_followers')).status).to.equal(404);
    expect((await town.nobody.post(path)).status).to.equal(401);
    expect((await (await alice.withScopes('read', 'write:blocks')).post(path)).status).to.equal(403);
    expect((await (await alice.withScopes('follow')).post(path)).status).to.equal(200);
  });

  it('list no proofs for any account, also for an unknown one and for text that is no id', async () => {
    const proofs = (id: string): string => `/api/v1/accounts/${id}/identity_proofs`;
    for (const id of [bob.id, '1', 'bob', '99999999999999999999']) {
      const { status, json } = await alice.get(proofs(id));
      expect([status, json], id).to.deep.equal([200, []]);
    }
    expect((await town.nobody.get(proofs(bob.id))).status).to.equal(422);
    expect((await (await alice.withScopes('write')).get(proofs(bob.id))).status).to.equal(200);
  });
});

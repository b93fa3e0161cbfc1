import { expect } from 'chai';
import type { AdminIpBlock, CredentialAccount, Instance } from '../../src/mastodon/schemas/index.ts';
import { describeTown, ok, type Person } from '../support/people.ts';

/**
 * The changes of the REST API between Mastodon 4.6.0 and 4.7.0-alpha.2 of 8 August 2026, by their commits in its repository.
 * `docs/decisions/0612-mastodon-4-7.md` lists those that are missing here.
 */
describeTown('The REST API of Mastodon 4.7', (town) => {
  let alice: Person;
  let owner: Person;
  before(async () => {
    [alice, owner] = await Promise.all([town.person('alice'), town.staff('owner', 'Owner')]);
  });

  it('takes descriptions of avatar and header with the other members of a profile (0c8fef8e)', async () => {
    const path = '/api/v1/accounts/update_credentials';
    const told = { avatar_description: 'A rook', header_description: 'A field' };
    expect(await ok(alice.patch<CredentialAccount>(path, told))).to.deep.include(told);
    const { api_versions } = await ok(town.nobody.get<Instance>('/api/v2/instance'));
    expect(api_versions.mastodon).to.be.at.least(11);
  });

  it('describes the picture of a server that has none of its own (fdea47bf)', async () => {
    const { thumbnail } = await ok(town.nobody.get<Instance>('/api/v2/instance'));
    expect(thumbnail.description).to.be.a('string').that.is.not.empty;
  });

  it('answers 422 to a change that makes a block of addresses invalid (cc6e7898)', async () => {
    const rules = { ip: '192.0.2.7', severity: 'no_access' };
    const { id } = await ok(owner.post<AdminIpBlock>('/api/v1/admin/ip_blocks', rules));
    const changed = await owner.put(`/api/v1/admin/ip_blocks/${id}`, { severity: 'none' });
    expect(changed.status).to.equal(422);
    expect(await ok(owner.get(`/api/v1/admin/ip_blocks/${id}`))).to.deep.include({ severity: 'no_access' });
  });

  it('counts no follow requests of suspended accounts (86a7f955)', async () => {
    const [carol, dora] = await Promise.all([
      town.person('carol', { locked: true }),
      town.person('dora', {}),
    ]);
    await ok(dora.post(`/api/v1/accounts/${carol.id}/follow`));
    const count = async (): Promise<number> => {
      const path = '/api/v1/accounts/verify_credentials';
      return (await ok(carol.get<CredentialAccount>(path))).source.follow_requests_count;
    };
    expect(await count()).to.equal(1);
    await town.suspend(dora);
    expect(await count()).to.equal(0);
  });

  it('answers 4xx to measures and cohorts without their members (467c9334)', async () => {
    for (const [path, body] of [
      ['/api/v1/admin/measures', { start_at: '2026-01-01', end_at: '2026-01-02' }],
      ['/api/v1/admin/measures', { keys: ['new_users'] }],
      ['/api/v1/admin/retention', { frequency: 'day' }],
    ] as const) {
      expect((await owner.post(path, body)).status, JSON.stringify(body)).to.be.within(400, 422);
    }
  });
});

import { expect } from 'chai';
import { endpoints } from '#app/routes.ts';
import { eraseOwnAccount } from '#commands/accounts/index.ts';
import { removeRemoteAccount } from '#commands/federation/index.ts';
import type {
  Account,
  AdminAccount,
  AdminIpBlock,
  Collection,
  CredentialAccount,
  Instance,
  Relationship,
} from '#mastodon/schemas/index.ts';
import { type Client, describeTown, ok, type Person } from '../support/people.ts';
import { remoteAccount, suspendAccount } from '../support/remote.ts';

/** The endpoints with the id of an account in their path. Identity proofs are looked up for no account. */
const OF_ACCOUNT = endpoints
  .filter(({ path }) => /^\/api\/v1\/(accounts\/)?:(account_)?id(\/|$)/.test(path))
  .filter(({ path }) => !path.endsWith('/identity_proofs'));

/**
 * The changes of the REST API between Mastodon 4.6.0 and 4.7.0-alpha.2 of 8 August 2026, by their commits in its repository.
 * `docs/decisions/0612-mastodon-4-7.md` lists them. Those of handles are in `test/federation/set-up-anew.api.spec.ts`.
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

  describe('An account that is deleted (ad245adf)', () => {
    let living: string;
    let stub: string;
    /** By whom it was deleted, with its id and its handle. */
    const gone = new Map<string, { id: string; acct: string }>();

    before(async () => {
      const ctx = () => town.app.systemContext('spec');
      const [byThemselves, byStaff, suspended, other] = await Promise.all(
        ['fern', 'gorse', 'heath', 'ivy'].map((name) => town.person(name, { discoverable: true })),
      );
      [living, stub] = [other!.id, suspended!.id];
      await Promise.all([byStaff!, suspended!].map(({ id }) => suspendAccount(town.app, id)));
      await ok(owner.delete(`/api/v1/admin/accounts/${byStaff!.id}`));
      await eraseOwnAccount(ctx(), byThemselves!.id);
      const far = await remoteAccount(town.app, 'juniper', 'far.example');
      await removeRemoteAccount(ctx(), far);
      await ctx().waitForReadModels();
      gone
        .set('the user', { id: byThemselves!.id, acct: 'fern' })
        .set('staff', { id: byStaff!.id, acct: 'gorse' })
        .set('the server of the account', { id: far, acct: 'juniper@far.example' });
    });

    /** Returns the replies, by endpoint, to requests of any user about an account. */
    const repliesAbout = async (accountId: string): Promise<Record<string, number>> => {
      const replies = await Promise.all(
        OF_ACCOUNT.map(async ({ method, path }) => {
          const send = alice[method.toLowerCase() as keyof Client];
          const { status } = await send(path.replace(/:(account_)?id/, accountId));
          return [`${method} ${path}`, status] as const;
        }),
      );
      return Object.fromEntries(replies);
    };

    it('is unknown to every endpoint with the id of an account, while a suspended one is known', async () => {
      const found = async (accountId: string): Promise<string[]> => {
        const replies = await repliesAbout(accountId);
        return Object.keys(replies).filter((name) => replies[name] !== 404);
      };
      expect(OF_ACCOUNT).to.have.lengthOf.at.least(20);
      expect(await found(living)).to.have.lengthOf(OF_ACCOUNT.length);
      const refused = 'POST /api/v1/accounts/:id/follow';
      expect(await found(stub))
        .to.have.lengthOf(OF_ACCOUNT.length - 1)
        .and.not.include(refused);
      for (const [by, { id }] of gone) expect(await found(id), by).to.deep.equal([]);
    });

    it('is unknown by its handle, and is left out among other accounts', async () => {
      const { id: collection } = await ok(
        alice.post<{ collection: Collection }>('/api/v1/collections', { name: 'Plants' }),
      ).then((reply) => reply.collection);
      for (const [by, { id, acct }] of gone) {
        expect((await alice.get(`/api/v1/accounts/lookup?acct=${acct}`)).status, by).to.equal(404);
        const ids = [id, stub, living].map((each) => `id[]=${each}`).join('&');
        const accounts = await ok(alice.get<Account[]>(`/api/v1/accounts?${ids}`));
        expect(accounts.map((each) => each.id)).to.have.members([stub, living]);
        const relationships = await ok(
          alice.get<Relationship[]>(`/api/v1/accounts/relationships?with_suspended=true&${ids}`),
        );
        expect(relationships.map((each) => each.id)).to.have.members([stub, living]);
        const item = await alice.post(`/api/v1/collections/${collection}/items`, { account_id: id });
        expect(item.status, by).to.equal(404);
      }
      const { json } = await alice.get<Account>('/api/v1/accounts/lookup?acct=heath');
      expect(json).to.deep.include({ id: stub, suspended: true });
    });

    it('has an empty list of identity proofs, as every account', async () => {
      for (const { id } of gone.values()) {
        expect(await ok(alice.get(`/api/v1/accounts/${id}/identity_proofs`))).to.deep.equal([]);
      }
    });

    it('stays visible to staff', async () => {
      for (const [by, { id }] of gone) {
        const { account, suspended } = await ok(owner.get<AdminAccount>(`/api/v1/admin/accounts/${id}`));
        expect([account.id, suspended], by).to.deep.equal([id, true]);
      }
    });

    it('stays unknown once its data is erased', async () => {
      await town.waitUntilIdle();
      for (const [by, { id }] of gone) {
        expect((await alice.get(`/api/v1/accounts/${id}`)).status, by).to.equal(404);
      }
      expect((await town.server.call('GET', '/@fern')).status).to.equal(410);
    });
  });
});

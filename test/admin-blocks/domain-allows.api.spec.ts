import { expect } from 'chai';
import type { AdminDomainAllow } from '#mastodon/schemas/index.ts';
import { federationAllowed } from '#queries/federation/index.ts';
import { describeTownWith, type Person } from '../support/people.ts';
import { expectScope } from '../support/scopes.ts';

const PATH = '/api/v1/admin/domain_allows';

describeTownWith({ LIMITED_FEDERATION_MODE: 'true' }, 'Allowing domains over the API', (town) => {
  let admin: Person;
  let moderator: Person;
  let alice: Person;
  before(async function () {
    this.timeout(120_000);
    admin = await town.staff('admin', 'Admin');
    moderator = await town.staff('mod', 'Moderator');
    alice = await town.person('alice');
  });

  const allow = async (domain: unknown): Promise<AdminDomainAllow> => {
    const { status, json } = await admin.post<AdminDomainAllow>(PATH, { domain });
    expect(status).to.equal(200);
    return json;
  };
  const list = async (query = ''): Promise<string[]> =>
    (await admin.get<AdminDomainAllow[]>(`${PATH}${query}`)).json.map(({ domain }) => domain);

  it('returns one record for every spelling of a domain', async () => {
    const first = await allow('Friends.Example');
    expect(first).to.include({ domain: 'friends.example' });
    const before = await town.events();
    for (const spelling of ['friends.example', ' FRIENDS.EXAMPLE. ', 'friends。example']) {
      expect(await allow(spelling)).to.deep.equal(first);
    }
    expect(await town.events()).to.equal(before);
    expect((await admin.get(`${PATH}/${first.id}`)).json).to.deep.equal(first);
  });

  it('ends with DELETE, and a new one is another record', async () => {
    const first = await allow('gone.example');
    const { status, json } = await admin.delete(`${PATH}/${first.id}`);
    expect([status, json]).to.deep.equal([200, {}]);
    expect(await list()).not.to.include('gone.example');
    expect((await admin.delete(`${PATH}/${first.id}`)).status).to.equal(404);
    expect((await admin.get(`${PATH}/${first.id}`)).json).to.deep.equal({ error: 'Record not found' });
    expect((await allow('gone.example')).id).not.to.equal(first.id);
  });

  it('is listed newest first, in pages', async () => {
    for (const domain of ['one.example', 'two.example', 'three.example']) await allow(domain);
    const first = await admin.get<AdminDomainAllow[]>(`${PATH}?limit=2`);
    expect(first.json.map(({ domain }) => domain)).to.deep.equal(['three.example', 'two.example']);
    expect((await list(`?${first.links['next']}`))[0]).to.equal('one.example');
  });

  it('refuses invalid domains', async () => {
    const blank = await admin.post<{ error: string }>(PATH, {});
    expect([blank.status, blank.json.error]).to.deep.equal([422, "Validation failed: Domain can't be blank"]);
    for (const domain of [null, ' ', 'a b', 'https://a.example', 'a@b.example', 'x'.repeat(3_000), ['a']]) {
      expect((await admin.post(PATH, { domain })).status, JSON.stringify(domain)).to.equal(422);
    }
    for (const id of ['0', 'x', '9'.repeat(30)])
      expect((await admin.get(`${PATH}/${id}`)).status).to.equal(404);
  });

  it('is limited to staff with the permission and the scope', async () => {
    const { id } = await allow('guarded.example');
    for (const who of [moderator, alice]) {
      for (const { status, json } of [
        await who.get(PATH),
        await who.get(`${PATH}/${id}`),
        await who.post(PATH, { domain: 'x.example' }),
        await who.delete(`${PATH}/${id}`),
      ]) {
        expect(status).to.equal(403);
        expect(json).to.have.property('error');
      }
    }
    expect((await moderator.get(PATH)).json).to.deep.equal({ error: 'This action is not allowed' });
    const reading = { enough: ['admin:read:domain_allows', 'admin:read'], others: ['read', 'admin:write'] };
    const writing = { enough: ['admin:write:domain_allows', 'admin:write'], others: ['write', 'admin:read'] };
    await expectScope(town, admin, (who) => who.get(PATH), reading);
    await expectScope(town, admin, (who) => who.get(`${PATH}/${id}`), reading);
    await expectScope(town, admin, (who) => who.post(PATH, { domain: 'guarded.example' }), writing);
  });

  describe('in limited federation mode', () => {
    it('lets this server federate only with allowed domains', async () => {
      await allow('near.example');
      const ask = (domain: string): Promise<boolean> =>
        federationAllowed({ db: town.app.db, instance: town.app.instance }, domain);
      expect(await ask('near.example')).to.equal(true);
      for (const host of ['near.example:8443', 'near.example.']) expect(await ask(host), host).to.equal(true);
      expect(await ask('sub.near.example')).to.equal(false);
      expect(await ask('far.example')).to.equal(false);
      expect(
        await federationAllowed({ db: town.app.db, instance: { limitedFederation: false } }, 'far.example'),
      ).to.equal(true);
    });

    it('shows nothing to visitors and applications without a user', async () => {
      const status = await alice.post<{ id: string }>('/api/v1/statuses', { status: 'hello' });
      const application = await town.appOnly();
      for (const path of [
        '/api/v1/timelines/public',
        '/api/v1/timelines/tag/cats',
        `/api/v1/accounts/${alice.id}`,
        '/api/v1/accounts/lookup?acct=alice',
        `/api/v1/accounts/${alice.id}/statuses`,
        `/api/v1/accounts/${alice.id}/followers`,
        `/api/v1/accounts/${alice.id}/following`,
        `/api/v1/statuses/${status.json.id}`,
        `/api/v1/statuses/${status.json.id}/context`,
        '/api/v1/custom_emojis',
        `/api/oembed?url=${encodeURIComponent(`${town.app.instance.origin}/@alice/${status.json.id}`)}`,
      ]) {
        for (const client of [town.nobody, application]) {
          const answer = await client.get(path);
          expect([path, answer.status, answer.json]).to.deep.equal([
            path,
            401,
            { error: 'This API requires an authenticated user' },
          ]);
        }
        expect((await alice.get(path)).status, path).to.equal(200);
      }
    });

    it('still lets apps register and users sign up', async () => {
      const app = { client_name: 'app', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scopes: 'read write' };
      expect((await town.nobody.post('/api/v1/apps', app)).status).to.equal(200);
      const application = await town.appOnly();
      expect((await application.get('/api/v1/apps/verify_credentials')).status).to.equal(200);
      expect((await town.nobody.get('/api/v2/instance')).status).to.equal(200);
      const answer = await application.post('/api/v1/accounts', {
        username: 'newcomer',
        email: 'newcomer@mail.example',
        password: 'correct horse battery',
        agreement: true,
        locale: 'en',
      });
      expect(answer.status).to.equal(200);
    });
  });
});

import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { changeSettings, readSetting, type SettingName } from '#commands/instance/index.ts';
import type { AdminDomainBlock, DomainBlock } from '#mastodon/schemas/index.ts';
import { federationAllowed, reportsRejected } from '#queries/federation/index.ts';
import { type Answer, type Client, describeTown, type Person } from '../support/people.ts';
import { expectScope } from '../support/scopes.ts';

const PATH = '/api/v1/admin/domain_blocks';

describeTown('Blocking domains for the whole server over the API', (town) => {
  let admin: Person;
  let mod: Person;
  let alice: Person;
  before(async function () {
    this.timeout(120_000);
    admin = await town.staff('admin', 'Admin');
    mod = await town.staff('mod', 'Moderator');
    alice = await town.person('alice');
  });

  type Refusal = { error: string; existing_domain_block?: AdminDomainBlock };
  const post = (body: object): Promise<Answer<AdminDomainBlock & Refusal>> => admin.post(PATH, body);
  const block = async (domain: string, rules: object = {}): Promise<AdminDomainBlock> => {
    const { status, json } = await post({ domain, ...rules });
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };
  const ask = (domain: string): Promise<boolean> =>
    federationAllowed({ db: town.app.db, instance: town.app.instance }, domain);

  it('silences the domain by default', async () => {
    const { id, created_at, ...rest } = await block('Plain.Example.');
    expect(id).to.match(/^[0-9]+$/);
    expect(Date.parse(created_at)).to.be.closeTo(Date.now(), 60_000);
    expect(rest).to.deep.equal({
      domain: 'plain.example',
      digest: createHash('sha256').update('plain.example').digest('hex'),
      severity: 'silence',
      reject_media: false,
      reject_reports: false,
      private_comment: null,
      public_comment: null,
      obfuscate: false,
    });
  });

  it('applies to every port and to a trailing dot in the host', async () => {
    await block('moving.example', { severity: 'suspend', reject_reports: true });
    const { app } = town;
    for (const host of ['moving.example:8443', 'moving.example.', 'at.moving.example.:8443']) {
      expect(await ask(host), host).to.equal(false);
      expect(await reportsRejected(app.db, [host]), host).to.equal(true);
    }
    expect(await ask('amoving.example:8443')).to.equal(true);
  });

  it('accepts all rules, also from forms, and changes only the given ones', async () => {
    const form = new URLSearchParams({
      domain: 'rules.example',
      severity: 'noop',
      reject_media: 'true',
      reject_reports: '1',
      private_comment: ' between us ',
      public_comment: 'Spam',
      obfuscate: 'on',
    });
    const made = (await post(form)).json;
    expect(made).to.include({
      severity: 'noop',
      reject_media: true,
      reject_reports: true,
      obfuscate: true,
      private_comment: ' between us ',
      public_comment: 'Spam',
    });
    const { json } = await admin.put(`${PATH}/${made.id}`, { severity: 'silence', public_comment: '' });
    expect(json).to.deep.equal({ ...made, severity: 'silence', public_comment: '' });
    expect((await admin.get(`${PATH}/${made.id}`)).json).to.deep.equal(json);
    const before = await town.events();
    expect((await admin.put(`${PATH}/${made.id}`, { severity: 'silence' })).json).to.deep.equal(json);
    expect(await town.events()).to.equal(before);
  });

  it('refuses a block that is no stricter than one in force, and names that one', async () => {
    const strict = await block('strict.example', { severity: 'suspend' });
    for (const domain of ['STRICT.example.', 'below.strict.example', 'far.below.strict.example']) {
      const { status, json } = await post({ domain, severity: 'silence' });
      expect(status).to.equal(422);
      expect(json.existing_domain_block).to.deep.equal(strict);
      expect(json.error).to.equal('You have already imposed stricter limits on strict.example.');
    }
    expect((await post({ domain: 'strict.example', severity: 'suspend' })).status).to.equal(422);
    await block('mild.example');
    await block('harsh.mild.example', { severity: 'suspend' });
    expect((await post({ domain: 'other.mild.example', severity: 'noop' })).status).to.equal(422);
    // A domain with the same ending is another domain.
    await block('notstrict.example', { severity: 'noop' });
  });

  it('applies to every spelling of the domain and its subdomains until it ends (CVE-2023-42451)', async () => {
    const { id } = await block('MÜNCHEN.example', { severity: 'suspend' });
    expect(await ask('xn--mnchen-3ya.example')).to.equal(false);
    expect(await ask('www.xn--mnchen-3ya.example')).to.equal(false);
    expect(await ask('example')).to.equal(true);
    for (const spelling of [
      'münchen.example',
      'mu\u0308nchen.EXAMPLE.',
      'XN--MNCHEN-3YA.example',
      'ｍünchen。example',
    ]) {
      expect((await post({ domain: spelling })).status, spelling).to.equal(422);
    }
    const { status, json } = await admin.delete(`${PATH}/${id}`);
    expect([status, json]).to.deep.equal([200, {}]);
    expect(await ask('xn--mnchen-3ya.example')).to.equal(true);
    expect((await admin.delete(`${PATH}/${id}`)).status).to.equal(404);
    expect((await admin.put(`${PATH}/${id}`, {})).status).to.equal(404);
    expect((await admin.get(`${PATH}/${id}`)).json).to.deep.equal({ error: 'Record not found' });
  });

  it('lets the closest block decide', async () => {
    await block('wide.example', { severity: 'silence' });
    await block('deep.wide.example', { severity: 'suspend' });
    expect(await ask('wide.example')).to.equal(true);
    expect(await ask('x.deep.wide.example')).to.equal(false);
  });

  it('creates one block for concurrent requests', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => post({ domain: 'raced.example' })));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    for (const { status } of answers) expect(status).to.be.oneOf([200, 409, 422]);
  });

  it('lists blocks newest first, in pages', async () => {
    for (const domain of ['one.example', 'two.example', 'three.example']) await block(domain);
    const first = await admin.get<AdminDomainBlock[]>(`${PATH}?limit=2`);
    expect(first.json.map(({ domain }) => domain)).to.deep.equal(['three.example', 'two.example']);
    const second = await admin.get<AdminDomainBlock[]>(`${PATH}?${first.links['next']}`);
    expect(second.json[0]?.domain).to.equal('one.example');
  });

  it('refuses invalid domains, severities and comments', async () => {
    const blank = await post({});
    expect([blank.status, blank.json.error]).to.deep.equal([422, "Validation failed: Domain can't be blank"]);
    const harsh = await post({ domain: 'x.example', severity: 'annihilate' });
    expect([harsh.status, harsh.json.error]).to.deep.equal([
      422,
      'Validation failed: Severity is not included in the list',
    ]);
    const { id } = await block('valid.example');
    for (const severity of ['x', '', null])
      expect((await admin.put(`${PATH}/${id}`, { severity })).status, String(severity)).to.equal(422);
    expect((await post({ severity: '' })).json.error).to.equal(
      "Validation failed: Severity is not included in the list, Domain can't be blank",
    );
    for (const body of [
      { domain: 'a b' },
      { domain: ['a.example'] },
      { domain: 'a.example', private_comment: 'x'.repeat(5_001) },
    ]) {
      expect((await post(body)).status, JSON.stringify(body).slice(0, 80)).to.equal(422);
    }
  });

  it('is limited to staff with the permission and the scope', async () => {
    const { id } = await block('guarded.example');
    for (const who of [mod, alice]) {
      for (const { status } of [
        await who.get(PATH),
        await who.get(`${PATH}/${id}`),
        await who.post(PATH, { domain: 'x.example' }),
        await who.put(`${PATH}/${id}`, { severity: 'noop' }),
        await who.delete(`${PATH}/${id}`),
      ]) {
        expect(status).to.equal(403);
      }
    }
    await expectScope(town, admin, (who) => who.get(`${PATH}/${id}`), {
      enough: ['admin:read:domain_blocks', 'admin:read'],
      others: ['read', 'admin:write', 'admin:read:domain_allows'],
    });
    await expectScope(town, admin, (who) => who.put(`${PATH}/${id}`, {}), {
      enough: ['admin:write:domain_blocks', 'admin:write'],
      others: ['write', 'admin:read', 'admin:write:domain_allows'],
    });
  });

  describe('the public list', () => {
    const LIST = '/api/v1/instance/domain_blocks';
    const set = async (name: SettingName, value: string): Promise<void> => {
      const ctx = town.app.systemContext('spec');
      await changeSettings(ctx, await readSetting(ctx, name, Buffer.from(value)));
      await town.waitUntilIdle();
    };
    const listed = async (client: Client): Promise<DomainBlock[]> =>
      (await client.get<DomainBlock[]>(LIST)).json.filter(({ domain }) => domain.endsWith('nown'));

    before(async () => {
      await block('bad.known', { severity: 'suspend', public_comment: 'Spam' });
      await block('worse.example.known', { severity: 'silence', obfuscate: true });
      await block('harmless.known', { severity: 'noop' });
    });

    it('is hidden unless a setting shows it', async () => {
      expect((await alice.get(LIST)).status).to.equal(404);
    });

    it('can be limited to users', async () => {
      await set('show_domain_blocks', 'users');
      expect((await town.nobody.get(LIST)).status).to.equal(401);
      expect(await listed(alice)).to.have.length(2);
    });

    it('can be public, with obscured names and digests, and with reasons for users alone', async () => {
      await set('show_domain_blocks', 'all');
      await set('show_domain_blocks_rationale', 'users');
      const digest = (domain: string): string => createHash('sha256').update(domain).digest('hex');
      const limited = {
        domain: 'worse.*******.*nown',
        digest: digest('worse.example.known'),
        severity: 'silence',
      };
      const suspended = { domain: 'bad.known', digest: digest('bad.known'), severity: 'suspend' };
      expect(await listed(town.nobody)).to.deep.equal([limited, suspended]);
      expect(await listed(alice)).to.deep.equal([
        { ...limited, comment: null },
        { ...suspended, comment: 'Spam' },
      ]);
    });
  });
});

import { expect } from 'chai';
import type {
  AdminCustomEmoji,
  AdminDomainImport,
  AdminRole,
  AdminSettings,
} from '#mastodon/schemas/index.ts';
import { eventually } from '../support/eventually.ts';
import { type Client, ok, type Person, startTown, type Town } from '../support/people.ts';
import { picture } from './server-support.ts';

const emojiForm = async (shortcode: string, more: Record<string, string> = {}): Promise<FormData> => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ shortcode, ...more })) form.set(name, value);
  form.set('image', await picture(), 'bird.png');
  return form;
};

/** One endpoint for each permission. */
const READS: Readonly<Record<string, string>> = {
  announcements: 'manage_announcements',
  custom_emojis: 'manage_custom_emojis',
  'custom_emojis/categories': 'manage_custom_emojis',
  terms: 'manage_settings',
  settings: 'manage_settings',
  roles: 'manage_roles',
};

describe('The endpoints for the server', function () {
  this.timeout(60_000);
  let town: Town;
  let boss: Person;
  let admin: Person;
  let moderator: Person;
  let alice: Person;

  before(async () => {
    town = await startTown();
    boss = await town.staff('boss', 'Owner');
    admin = await town.staff('admin', 'Admin');
    moderator = await town.staff('moderator', 'Moderator');
    alice = await town.person('alice');
  });
  after(() => town.close());

  for (const name of Object.keys(READS)) {
    it(`shows ${name} to those who may manage them alone`, async () => {
      const path = `/api/v1/admin/${name}`;
      await ok(admin.get(path));
      for (const client of [moderator, alice] satisfies Client[]) {
        expect((await client.get(path)).status).to.equal(403);
      }
      expect((await town.nobody.get(path)).status).to.be.oneOf([401, 403]);
      const narrow = await boss.withScopes('read', 'admin:read:accounts');
      expect((await narrow.get(path)).status).to.equal(403);
    });
  }

  it('finds blocked domains by a part of their name', async () => {
    for (const domain of ['loud.example', 'louder.example', 'quiet.example']) {
      await ok(boss.post('/api/v1/admin/domain_blocks', { domain }));
    }
    const found = await ok(boss.get<{ domain: string }[]>('/api/v1/admin/domain_blocks?domain=LOUD'));
    expect(found.map(({ domain }) => domain)).to.deep.equal(['louder.example', 'loud.example']);
    const paged = await boss.get<{ domain: string }[]>('/api/v1/admin/domain_blocks?domain=loud&limit=1');
    expect(paged.links['next']).to.contain('domain=loud').and.contain('max_id=');
    expect(await ok(boss.get('/api/v1/admin/domain_blocks?domain=_'))).to.deep.equal([]);
  });

  it('says what an import would do, by line, and does it', async () => {
    const list = ['loud.example,suspend', 'new.example,silence', 'new.example,silence', 'x y,noop'];
    const body = { list: `#domain,#severity\n${list.join('\n')}\n`, dry_run: true };
    const plan = await ok(boss.post<AdminDomainImport>('/api/v1/admin/domain_blocks/import', body));
    expect(plan).to.include({ dry_run: true, added: 1, changed: 1, unchanged: 0 });
    expect(plan.changes[0]).to.include({ line: 2, change: 'changed', previous_severity: 'silence' });
    expect(plan.invalid.map(({ line }) => line)).to.deep.equal([4, 5]);
    const before = await ok(boss.get<object[]>('/api/v1/admin/domain_blocks?domain=new'));
    expect(before).to.deep.equal([]);
    const done = await ok(
      boss.post<AdminDomainImport>('/api/v1/admin/domain_blocks/import', { ...body, dry_run: false }),
    );
    expect({ ...done, dry_run: true }).to.deep.equal(plan);
    const [block] = await ok(boss.get<object[]>('/api/v1/admin/domain_blocks?domain=loud.example'));
    expect(block).to.include({ severity: 'suspend' });
  });

  it('counts the follows that an import would end', async () => {
    const body = { list: 'nobody-we-know.example', dry_run: true };
    const { changes } = await ok(boss.post<AdminDomainImport>('/api/v1/admin/domain_blocks/import', body));
    expect(changes[0]).to.include({ severity: 'suspend', follows_ended: 0, change: 'added' });
  });

  it('refuses lists that are empty, too long, or no table', async () => {
    for (const list of ['', ' ', 'a.example\n'.repeat(5_001), '"unclosed']) {
      const { status } = await boss.post('/api/v1/admin/domain_blocks/import', { list });
      expect(status, list.slice(0, 20)).to.be.oneOf([400, 422]);
    }
    const merge = { list: 'a.example', merge: 'somehow' };
    expect((await boss.post('/api/v1/admin/domain_blocks/import', merge)).status).to.equal(422);
    const { domain } = await ok(boss.get<{ domain: string }>('/api/v2/instance'));
    const own = await ok(
      boss.post<AdminDomainImport>('/api/v1/admin/domain_allows/import', {
        list: `${domain}\nfriend.example`,
      }),
    );
    expect(own).to.include({ added: 1 });
    expect(own.invalid).to.have.length(1);
  });

  it('keeps the shortcodes of emojis unique, unless one is to be replaced', async () => {
    const path = '/api/v1/admin/custom_emojis';
    const made = await ok(boss.post<AdminCustomEmoji>(path, await emojiForm('rook', { category: 'Birds' })));
    expect((await boss.post(path, await emojiForm('rook'))).status).to.equal(422);
    const again = await ok(
      boss.post<AdminCustomEmoji>(path, await emojiForm('rook', { overwrite: 'true', category: 'Crows' })),
    );
    expect(again).to.include({ id: made.id, category: 'Crows' });
    const categories = await ok(boss.get(`${path}/categories`));
    expect(categories).to.deep.equal([{ category: 'Crows', emojis_count: 1 }]);
    const filtered = [`${path}?category=Crows`, `${path}?shortcode=OO`, `${path}?status=enabled`];
    for (const address of filtered) expect(await ok(boss.get<object[]>(address))).to.have.length(1);
    expect(await ok(boss.get(`${path}?status=disabled`))).to.deep.equal([]);
  });

  it('shows a disabled emoji to staff alone', async () => {
    const [emoji] = await ok(boss.get<AdminCustomEmoji[]>('/api/v1/admin/custom_emojis'));
    await ok(boss.put(`/api/v1/admin/custom_emojis/${emoji?.id ?? ''}`, { disabled: true }));
    // Every process hears of it from Postgres.
    await eventually(async () => {
      expect(await ok(alice.get<object[]>('/api/v1/custom_emojis'))).to.deep.equal([]);
    });
    expect(await ok(boss.get<object[]>('/api/v1/admin/custom_emojis?status=disabled'))).to.have.length(1);
  });

  it('changes some settings, and leaves the others', async () => {
    const path = '/api/v1/admin/settings';
    const before = await ok(boss.get<AdminSettings>(path));
    const changes = {
      title: 'The Rookery',
      timeline_preview: false,
      contact_account: 'alice',
      languages: 'en,de',
    };
    const after = await ok(boss.put<AdminSettings>(path, changes));
    expect(after).to.deep.equal({
      ...before,
      title: 'The Rookery',
      timeline_preview: false,
      contact_account: 'alice',
      languages: ['en', 'de'],
      changed: after.changed,
    });
    expect(after.changed).to.have.members([...before.changed, ...Object.keys(changes)]);
    const reset = await ok(boss.put<AdminSettings>(path, { reset: Object.keys(changes) }));
    expect(reset).to.deep.equal(before);
  });

  it('changes no setting when one is wrong', async () => {
    const path = '/api/v1/admin/settings';
    const before = await ok(boss.get(path));
    for (const wrong of [
      { registrations: 'perhaps' },
      { languages: '' },
      { contact_account: 'no-such-user' },
      { status_page_url: 'javascript:alert(1)' },
      { apps: '{' },
      { reset: ['everything'] },
    ]) {
      const { status } = await boss.put(path, { title: 'Wrong', ...wrong });
      expect(status, JSON.stringify(wrong)).to.equal(422);
    }
    expect(await ok(boss.get(path))).to.deep.equal(before);
  });

  it('names the users of each role, and what the role may do', async () => {
    const roles = await ok(admin.get<AdminRole[]>('/api/v1/admin/roles'));
    expect(roles.map(({ name, users_count }) => [name, users_count])).to.deep.equal([
      ['', null],
      ['Moderator', 1],
      ['Admin', 1],
      ['Owner', 1],
    ]);
    expect(roles[1]?.accounts.map(({ username }) => username)).to.deep.equal(['moderator']);
    expect(roles[1]?.permissions).to.include('manage_reports').and.not.include('manage_roles');
    expect(roles[3]?.permissions).to.include('view_devops');
  });

  it('lets staff give roles up to their own, to users below them', async () => {
    const change = (by: Person, to: Person, role_id: string) =>
      by.put(`/api/v1/admin/accounts/${to.id}/role`, { role_id });
    expect((await change(admin, alice, '3')).status).to.equal(403);
    expect((await change(admin, boss, '-99')).status).to.equal(403);
    expect((await change(admin, admin, '-99')).status).to.equal(403);
    expect((await change(moderator, alice, '1')).status).to.equal(403);
    expect((await change(admin, alice, '7')).status).to.equal(422);
    const missing = await admin.put('/api/v1/admin/accounts/1/role', { role_id: '1' });
    expect(missing.status).to.equal(404);
    const given = await ok(
      admin.put<{ role: { name: string } }>(`/api/v1/admin/accounts/${alice.id}/role`, { role_id: '1' }),
    );
    expect(given.role.name).to.equal('Moderator');
    // Another role ends every token.
    expect((await alice.get('/api/v1/accounts/verify_credentials')).status).to.equal(401);
  });

  it('refuses announcements and rules with wrong values', async () => {
    const times = { starts_at: '2031-01-02T00:00Z', ends_at: '2031-01-01T00:00Z' };
    for (const body of [
      { text: ' ' },
      { text: 'x'.repeat(5_001) },
      { text: 'x', starts_at: 'soon' },
      { text: 'x', ...times },
      { text: 'x', all_day: true },
    ]) {
      expect((await boss.post('/api/v1/admin/announcements', body)).status).to.equal(422);
    }
    expect(await ok(boss.get('/api/v1/admin/announcements'))).to.deep.equal([]);
    for (const body of [{ text: '' }, { text: 'x'.repeat(301) }]) {
      expect((await boss.post('/api/v1/admin/rules', body)).status).to.equal(422);
    }
    expect((await boss.put('/api/v1/admin/rules/99', { text: 'x' })).status).to.equal(404);
    expect((await boss.put('/api/v1/admin/announcements/99', { text: 'x' })).status).to.equal(404);
  });
});

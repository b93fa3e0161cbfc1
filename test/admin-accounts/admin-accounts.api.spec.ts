import { expect } from 'chai';
import { modifyUser } from '#commands/accounts/index.ts';
import { changeSettings } from '#commands/instance/index.ts';
import type { AdminAccount, Notification } from '#mastodon/schemas/index.ts';
import { textsMailedTo } from '../support/mails.ts';
import { type Client, describeTown, ok, type Person } from '../support/people.ts';
import { remoteAccount } from '../support/remote.ts';
import { moderationBy } from './support.ts';

describeTown('Moderating accounts over the API', function (town) {
  this.timeout(60_000);
  let mod: Person;
  let admin: Person;
  let alice: Person;
  let app: Client;
  let remoteId: string;
  let by: ReturnType<typeof moderationBy>;
  let people = 0;
  before(async function () {
    this.timeout(120_000);
    mod = await town.staff('umpire', 'Moderator');
    admin = await town.staff('admin', 'Admin');
    alice = await town.person('alice', { display_name: 'Alice in Birdland' });
    app = await town.appOnly();
    remoteId = await remoteAccount(town.app, 'rita', 'remote.example');
    by = moderationBy(mod);
  });

  const nextPerson = (): Promise<Person> => town.person(`person${(people += 1)}`);
  const setRegistrations = (registrations: 'open' | 'approved'): Promise<unknown> =>
    changeSettings(town.app.systemContext('spec'), { registrations });
  const signUp = async (username: string): Promise<{ id: string; token: string; email: string }> => {
    await setRegistrations('approved');
    const email = `${username}@example.org`;
    const { access_token: token } = await ok(
      app.post<{ access_token: string }>('/api/v1/accounts', {
        username,
        email,
        password: 'correct horse battery',
        agreement: true,
        locale: 'en',
        reason: 'For the birds',
      }),
    );
    const { id } = await ok(town.nobody.get<{ id: string }>(`/api/v1/accounts/lookup?acct=${username}`));
    return { id, token, email };
  };
  const found = async (query: string, version = 2): Promise<string[]> => {
    const { status, json } = await mod.get<AdminAccount[]>(
      `/api/v${version}/admin/accounts?limit=200&${query}`,
    );
    expect(status, JSON.stringify(json)).to.equal(200);
    return json.map(({ username }) => username);
  };

  describe('permissions', () => {
    it('require the scope, the permission and an existing account', async () => {
      const paths = [
        ['get', '/api/v1/admin/accounts'],
        ['get', '/api/v2/admin/accounts'],
        ['get', `/api/v1/admin/accounts/${alice.id}`],
        ...['action', 'approve', 'reject', 'enable', 'unsensitive', 'unsilence', 'unsuspend'].map((what) => [
          'post',
          `/api/v1/admin/accounts/${alice.id}/${what}`,
        ]),
      ] as ['get' | 'post', string][];
      const before = await town.events();
      const plain = await alice.withScopes('admin:read', 'admin:write');
      const reader = await mod.withScopes('read', 'write', 'admin:read:reports', 'admin:write:reports');
      for (const [method, path] of paths) {
        expect((await town.nobody[method](path)).status, path).to.equal(403);
        expect((await plain[method](path)).json, path).to.deep.equal({ error: 'This action is not allowed' });
        expect((await reader[method](path)).status, path).to.equal(403);
        const unknown = path.replace(alice.id, '1');
        if (unknown !== path && !unknown.endsWith('action'))
          expect((await mod[method](unknown)).status, unknown).to.equal(404);
      }
      const narrow = await mod.withScopes('admin:read:accounts');
      expect((await narrow.get(`/api/v1/admin/accounts/${alice.id}`)).status).to.equal(200);
      expect(
        (await narrow.post(`/api/v1/admin/accounts/${alice.id}/action`, { type: 'none' })).status,
      ).to.equal(403);
      expect((await mod.post('/api/v1/admin/accounts/1/action', { type: 'none' })).status).to.equal(404);
      expect((await mod.post('/api/v1/admin/accounts/x/action', { type: 'none' })).status).to.equal(404);
      expect(await town.events()).to.equal(before);
    });

    it('forbid acting against staff of the same or a higher role, and against oneself', async () => {
      const before = await town.events();
      for (const type of ['none', 'sensitive', 'disable', 'silence', 'suspend']) {
        for (const target of [mod, admin]) {
          const { status, json } = await mod.post(`/api/v1/admin/accounts/${target.id}/action`, { type });
          expect([status, json], type).to.deep.equal([403, { error: 'This action is not allowed' }]);
        }
      }
      expect(await town.events()).to.equal(before);
    });

    it('end immediately with the role, a disabled login or a suspension', async () => {
      const other = await town.staff('other', 'Moderator');
      await other.get('/api/v1/admin/accounts');
      await modifyUser(town.app.systemContext('spec'), other.id, { role: null });
      const answers = await Promise.all([
        other.get('/api/v1/admin/accounts'),
        other.post(`/api/v1/admin/accounts/${alice.id}/action`, { type: 'suspend' }),
      ]);
      for (const { status } of answers) expect(status).to.equal(401);
      for (const type of ['disable', 'suspend']) {
        const third = await town.staff(`third${type}`, 'Moderator');
        expect((await third.get('/api/v1/admin/accounts')).status).to.equal(200);
        await moderationBy(admin).act(third, type);
        expect((await third.get('/api/v1/admin/accounts')).status, type).to.equal(403);
        const again = await third.withScopes('admin:read');
        expect((await again.get('/api/v1/admin/accounts')).status, type).to.equal(403);
      }
    });
  });

  describe('an action', () => {
    it('is refused without any change when it is invalid', async () => {
      const path = `/api/v1/admin/accounts/${alice.id}/action`;
      const before = await town.events();
      for (const body of [
        {},
        { type: '' },
        { type: 'explode' },
        { type: ['none'] },
        { type: 'none', text: 'x'.repeat(10_001) },
      ]) {
        expect((await mod.post(path, body)).status, JSON.stringify(body).slice(0, 100)).to.equal(422);
      }
      const unlisted = 'Type is not included in the list';
      for (const [body, error] of [
        [{}, `Type can't be blank, ${unlisted}`],
        [{ type: '' }, `Type can't be blank, ${unlisted}`],
        [{ type: 'explode' }, unlisted],
      ] as const) {
        expect((await mod.post(path, body)).json).to.deep.include({ error: `Validation failed: ${error}` });
      }
      expect((await mod.post(path, { type: 'none', warning_preset_id: '1' })).status).to.equal(404);
      const disable = await mod.post(`/api/v1/admin/accounts/${remoteId}/action`, { type: 'disable' });
      expect(disable.status).to.equal(422);
      expect(await town.events()).to.equal(before);
    });

    for (const [type, undo, member] of [
      ['sensitive', 'unsensitive', 'sensitized'],
      ['silence', 'unsilence', 'silenced'],
      ['suspend', 'unsuspend', 'suspended'],
      ['disable', 'enable', 'disabled'],
    ] as const) {
      it(`shows as ${member} with the type ${type}, happens once and ends with ${undo}`, async () => {
        const person = await nextPerson();
        expect(await by.act(person, type)).to.deep.equal({});
        const { json } = await mod.get(`/api/v1/admin/accounts/${person.id}`);
        expect(json).to.include({ id: person.id, [member]: true });
        expect(await found(`status=${member}`)).to.include(person.username);
        expect(await found(`${member}=true`, 1)).to.include(person.username);
        await town.waitUntilIdle();
        const before = await town.events();
        await by.act(person, type);
        await town.waitUntilIdle();
        // The repeated action records another strike and its mail, and nothing else.
        expect(await town.events()).to.equal(before + 2n);
        expect(await by.does(person, undo)).to.include({ id: person.id, [member]: false });
        expect(await found(`status=${member}`)).not.to.include(person.username);
        const once = await town.events();
        const again = await mod.post(`/api/v1/admin/accounts/${person.id}/${undo}`);
        expect(again.status).to.equal(undo === 'unsuspend' ? 403 : 200);
        expect(await town.events()).to.equal(once);
      });
    }

    it('resolves the open reports about the account, and a warning only the report that it names', async () => {
      const [person, other] = [await nextPerson(), await nextPerson()];
      const { id: statusId } = await ok(person.post<{ id: string }>('/api/v1/statuses', { status: 'Eggs' }));
      const report = async (target: Person, status_ids: string[] = []): Promise<string> => {
        const body = { account_id: target.id, status_ids };
        return (await ok(alice.post<{ id: string }>('/api/v1/reports', body))).id;
      };
      const [first, second] = [await report(person, [statusId]), await report(person)];
      const foreign = await report(other);
      const open = async (): Promise<string[]> => {
        const all = [first, second, foreign].map(async (id) => {
          const { json } = await mod.get<{ action_taken: boolean; action_taken_by_account: { id: string } }>(
            `/api/v1/admin/reports/${id}`,
          );
          if (json.action_taken) expect(json.action_taken_by_account.id).to.equal(mod.id);
          return json.action_taken ? [] : [id];
        });
        return (await Promise.all(all)).flat();
      };
      const path = `/api/v1/admin/accounts/${person.id}/action`;
      const before = await town.events();
      for (const report_id of [foreign, '1', statusId]) {
        expect((await mod.post(path, { type: 'suspend', report_id })).status).to.equal(404);
      }
      expect((await mod.post(path, { type: 'suspend', report_id: 'x' })).status).to.equal(422);
      expect(await town.events()).to.equal(before);
      await by.act(person, 'none', { text: 'Just so' });
      expect(await open()).to.deep.equal([first, second, foreign]);
      await by.act(person, 'none', { text: 'No eggs', report_id: first });
      expect(await open()).to.deep.equal([second, foreign]);
      await town.waitUntilIdle();
      const { json: told } = await person.get<Notification[]>('/api/v1/notifications');
      expect(told[0]?.moderation_warning).to.deep.include({ text: 'No eggs', status_ids: [statusId] });
      await by.act(person, 'silence', { report_id: '' });
      expect(await open()).to.deep.equal([foreign]);
      const again = await report(person);
      // The account is silenced already, yet the newer report is resolved.
      await by.act(person, 'silence');
      const { json } = await mod.get(`/api/v1/admin/reports/${again}`);
      expect(json).to.include({ action_taken: true });
    });

    it('takes effect once when staff act at the same time, and records a strike for each', async () => {
      const person = await nextPerson();
      await town.waitUntilIdle();
      const before = await town.events();
      await Promise.all([mod, admin, mod].map((staff) => moderationBy(staff).act(person, 'silence')));
      await town.waitUntilIdle();
      // The silencing, three strikes and their mails.
      expect(await town.events()).to.equal(before + 7n);
      const { json } = await person.get<{ action: string }[]>('/api/v1/strikes');
      expect(json.map(({ action }) => action)).to.deep.equal(['silence', 'silence', 'silence']);
    });

    it('notifies the user with a notification and a mail that do not name the moderator', async () => {
      const person = await nextPerson();
      const text = 'Please read the rules.\nThank you.';
      await by.act(person, 'none', { text });
      await by.act(person, 'silence', { text: 'Really.', send_email_notification: false });
      await by.act(person, 'sensitive');
      await town.waitUntilIdle();
      const { json } = await person.get<Notification[]>('/api/v1/notifications');
      expect(json.map(({ type, account }) => [type, account.id])).to.deep.equal([
        ['moderation_warning', person.id],
        ['moderation_warning', person.id],
      ]);
      const [sensitive, warning] = json.map(({ moderation_warning }) => moderation_warning);
      expect(sensitive).to.include({ action: 'sensitive', text: '' });
      expect(warning).to.deep.include({ action: 'none', text, status_ids: null, appeal: null });
      expect(warning?.target_account.id).to.equal(person.id);
      expect(JSON.stringify(json)).not.to.contain(mod.id);
      const { json: groups } = await person.get<{ notification_groups: Notification[] }>(
        '/api/v2/notifications',
      );
      expect(groups.notification_groups.map(({ moderation_warning }) => moderation_warning)).to.deep.equal([
        sensitive,
        warning,
      ]);
      const { json: single } = await person.get<Notification>(`/api/v1/notifications/${json[1]?.id}`);
      expect(single.moderation_warning).to.deep.equal(warning);
      const { json: filtered } = await person.get('/api/v1/notifications?exclude_types[]=moderation_warning');
      expect(filtered).to.deep.equal([]);
      const { json: shown } = await mod.get<AdminAccount>(`/api/v1/admin/accounts/${person.id}`);
      const mails = await textsMailedTo(shown.email, town.app.config.dataDir);
      expect(mails).to.have.length(2);
      expect(mails[0]).to.contain('Please read the rules.').and.to.contain('Thank you.');
      expect(mails[1]).to.contain('sensitive');
      expect(mails.join('\n')).not.to.contain(mod.username);
      expect(
        (await mod.get<Notification[]>('/api/v1/notifications?types[]=moderation_warning')).json,
      ).to.deep.equal([]);
    });
  });

  describe('pending sign-ups', () => {
    it('notify staff and can be approved', async () => {
      const { id, token, email } = await signUp('novice');
      await town.waitUntilIdle();
      const { json: told } = await mod.get<Notification[]>('/api/v1/notifications?types[]=admin.sign_up');
      expect(told[0]?.account.id).to.equal(id);
      expect(await found('status=pending')).to.deep.equal(['novice']);
      expect(await found('pending=true&local=true', 1)).to.deep.equal(['novice']);
      expect(await by.does({ id }, 'approve')).to.include({
        approved: true,
        email,
        invite_request: 'For the birds',
      });
      expect((await mod.post(`/api/v1/admin/accounts/${id}/approve`)).status).to.equal(403);
      expect((await mod.post(`/api/v1/admin/accounts/${id}/reject`)).status).to.equal(403);
      expect(await found('status=pending')).to.deep.equal([]);
      await modifyUser(town.app.systemContext('spec'), id, { confirm: true });
      await town.waitUntilIdle();
      expect((await town.withToken(token).get('/api/v1/accounts/verify_credentials')).status).to.equal(200);
      expect((await textsMailedTo(email, town.app.config.dataDir)).at(-1)).to.contain('was approved');
    });

    it('are deleted when they are rejected, which frees name and address', async () => {
      const { id, token, email } = await signUp('refused');
      const rejected = await by.does({ id }, 'reject');
      expect(rejected).to.include({ id, username: 'refused', approved: false });
      expect((await mod.get(`/api/v1/admin/accounts/${id}`)).status).to.equal(404);
      expect((await mod.post(`/api/v1/admin/accounts/${id}/reject`)).status).to.equal(404);
      expect((await town.nobody.get(`/api/v1/accounts/${id}`)).status).to.equal(404);
      expect((await town.withToken(token).get('/api/v1/accounts/verify_credentials')).status).to.equal(401);
      await town.waitUntilIdle();
      const { json: told } = await mod.get<Notification[]>('/api/v1/notifications?types[]=admin.sign_up');
      expect(told.map(({ account }) => account.id)).not.to.include(id);
      const again = await signUp('refused');
      expect(again.id).not.to.equal(id);
      expect(again.email).to.equal(email);
      expect(await found('username=refused')).to.deep.equal(['refused']);
      await by.does(again, 'approve');
    });
  });

  describe('the lists', () => {
    it('find accounts by each filter', async () => {
      await ok(town.nobody.get('/api/v1/accounts/lookup?acct=alice'));
      const { json: shown } = await mod.get<AdminAccount>(`/api/v1/admin/accounts/${alice.id}`);
      const everybody = await found('');
      expect(everybody).to.include.members(['alice', 'umpire', 'admin', 'rita']);
      expect(await found('origin=remote')).to.deep.equal(['rita']);
      expect(await found('remote=true', 1)).to.deep.equal(['rita']);
      expect(await found('origin=local')).not.to.include('rita');
      expect(await found('local=true&remote=true', 1)).to.deep.equal(everybody);
      for (const version of [1, 2]) {
        expect(await found('by_domain=REMOTE.example', version)).to.deep.equal(['rita']);
        expect(await found('by_domain=remote.example.', version)).to.deep.equal(['rita']);
        expect(await found('by_domain=%40%25', version)).to.deep.equal([]);
        expect(await found('by_domain=other.example', version)).to.deep.equal([]);
        expect(await found('username=ALI', version)).to.deep.equal(['alice']);
        expect(await found('username=@rita', version)).to.deep.equal(['rita']);
        expect(await found('display_name=alice in', version)).to.deep.equal(['alice']);
        expect(await found(`email=${shown.email.toUpperCase()}`, version)).to.deep.equal(['alice']);
        expect(await found(`email=${shown.email.slice(0, 8)}`, version)).to.deep.equal(['alice']);
        expect(await found('email=nobody@', version)).to.deep.equal([]);
        expect(await found('ip=203.0.113.77', version)).to.deep.equal([]);
        expect(await found('ip=nonsense', version)).to.deep.equal([]);
        expect(await found('username=&by_domain=&email=&ip=', version)).to.deep.equal(everybody);
        // Filters contain no patterns.
        expect(await found('username=%25', version)).to.deep.equal([]);
        expect(await found('email=_', version)).to.deep.equal([]);
      }
      const staff = await found('permissions=staff');
      expect(staff).to.include.members(['umpire', 'admin']).and.not.include('alice').and.not.include('rita');
      expect(await found('staff=true', 1)).to.deep.equal(staff);
      expect(await found('role_ids[]=2')).to.deep.equal(['admin']);
      expect(await found('role_ids[]=-99'))
        .to.include('alice')
        .and.not.include('umpire')
        .and.not.include('rita');
      expect(await found('role_ids[]=77')).to.deep.equal([]);
      expect(await found('permissions=staff&role_ids[]=2')).to.deep.equal(['admin']);
      expect(await found(`invited_by=${mod.id}`)).to.deep.equal([]);
      expect(await found('status=active&username=ali')).to.deep.equal(['alice']);
      expect(await found('permissions=odd&username=ali')).to.deep.equal(['alice']);
      expect(await found('origin=&status=&username=ali')).to.deep.equal(['alice']);
      for (const [asked, error] of [
        ['status=odd', 'Unknown status: odd'],
        ['origin=moon', 'Unknown origin: moon'],
      ] as const) {
        const { status, json } = await mod.get(`/api/v2/admin/accounts?${asked}`);
        expect([status, json], asked).to.deep.equal([400, { error }]);
      }
    });

    it('find accounts by the IP address of their sign-up', async () => {
      const [{ id, ip } = { id: '', ip: null }] = await ok(
        mod.get<AdminAccount[]>('/api/v2/admin/accounts?username=novice'),
      );
      expect(ip).to.be.a('string');
      expect(await found(`ip=${ip}`)).to.include('novice');
      expect(await found(`ip=${ip}&status=disabled`)).not.to.include('novice');
      await by.act({ id }, 'disable');
      expect(await found(`ip=${ip}&status=disabled`)).to.include('novice');
    });

    it('are paged', async () => {
      const everybody = await found('');
      const pages: string[] = [];
      let query: string | undefined = 'limit=3';
      while (query !== undefined) {
        const page: Awaited<ReturnType<typeof mod.get<AdminAccount[]>>> = await mod.get<AdminAccount[]>(
          `/api/v2/admin/accounts?${query}`,
        );
        pages.push(...page.json.map(({ username }) => username));
        query = page.links['next'];
      }
      expect(pages).to.deep.equal(everybody);
    });
  });
});

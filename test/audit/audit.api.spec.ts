import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createAccount } from '#commands/accounts/index.ts';
import { askForReviews } from '#commands/trends/index.ts';
import { domainAllowStream } from '#events/domain-allows.ts';
import type { AuditEntry, Report, ReportNote, Status } from '#mastodon/schemas/index.ts';
import { tagId } from '#mastodon/tag-name.ts';
import { NO_STREAM } from '#storage/eventlog/port.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, type Client, describeTown, ok, type Person } from '../support/people.ts';
import { remoteAccount } from '../support/remote.ts';

const AUDIT = '/api/v1/admin/audit';
const NOT_ALLOWED = { error: 'This action is not allowed' };
const ABSENT = '100000000000000000';

describeTown('The audit log', (town) => {
  let alice: Person;
  let bob: Person;
  let mod: Person;
  let boss: Person;
  let start: bigint;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
    bob = await town.person('bob');
    mod = await town.staff('mod', 'Moderator');
    boss = await town.staff('boss', 'Owner');
    await town.waitUntilIdle();
    start = await town.events();
  });

  /** Leaves out the entries that reading makes itself. Another spec covers those. */
  const list = async (query = ''): Promise<AuditEntry[]> => {
    await town.waitUntilIdle();
    const lines = await ok(boss.get<AuditEntry[]>(`${AUDIT}?${query}`));
    return lines.filter(({ action }) => action !== 'audit_log.viewed');
  };
  const act = (who: Client, on: { id: string }, type: string, more: object = {}): Promise<unknown> =>
    ok(who.post(`/api/v1/admin/accounts/${on.id}/action`, { type, ...more }));
  const does = (who: Client, on: { id: string }, what: string): Promise<unknown> =>
    ok(who.post(`/api/v1/admin/accounts/${on.id}/${what}`));
  const actions = (entries: readonly AuditEntry[]): string[] => entries.map(({ action }) => action);
  const file = async (by: Person, about: Person, more: object = {}): Promise<string> => {
    const { id } = await ok(by.post<Report>('/api/v1/reports', { account_id: about.id, ...more }));
    await town.waitUntilIdle();
    return id;
  };
  const post = (who: Person, status: string): Promise<Status> =>
    ok(who.post<Status>('/api/v1/statuses', { status }));
  /** Creates a pending sign-up. */
  const applicant = async (username: string): Promise<{ id: string }> => {
    const id = await createAccount(town.app.systemContext('spec'), {
      username,
      email: `${username}@example.org`,
      password: 'correct horse',
      locale: 'en',
      confirmed: true,
      approved: false,
      role: null,
      reason: 'Hm',
      applicationId: null,
      signUpIp: null,
    });
    return { id };
  };
  const since = async (): Promise<string> => {
    await town.waitUntilIdle();
    return `since_id=${await town.events()}`;
  };

  it('records who did what to whom, with which app, why and in which context', async () => {
    const from = await since();
    const status = await post(bob, 'Buy eggs');
    const report = await file(alice, bob, { status_ids: [status.id], comment: 'He sells eggs' });
    await act(mod, bob, 'silence', { text: 'No advertising', report_id: report });
    await does(mod, bob, 'unsilence');
    const [lifted, resolved, silenced, ...others] = await list(from);
    expect(others).to.deep.equal([]);
    const { id, event_id, created_at, command_id, correlation_id, ...rest } = silenced!;
    expect(rest).to.deep.equal({
      position: id,
      action: 'account.silenced',
      actor: { kind: 'user', account: { id: mod.id, acct: 'mod' }, role: 'Moderator', name: null },
      application: { id: rest.application?.id, name: 'tests' },
      targets: [
        { type: 'account', id: bob.id, name: 'bob' },
        { type: 'report', id: report, name: null },
        { type: 'strike', id: rest.targets[2]?.id, name: null },
        { type: 'status', id: status.id, name: null },
      ],
      text: 'No advertising',
      changes: [{ field: 'silenced', before: false, after: true, shown: 'whole' }],
      causation_id: null,
    });
    expect(Date.parse(created_at)).to.be.closeTo(Date.now(), 60_000);
    expect(event_id).to.match(/^[0-9a-f-]{36}$/);
    expect(resolved).to.deep.include({ action: 'report.resolved', command_id, correlation_id, text: null });
    expect(resolved?.targets).to.deep.equal([
      { type: 'report', id: report, name: null },
      { type: 'account', id: bob.id, name: 'bob' },
    ]);
    expect(lifted?.action).to.equal('account.unsilenced');
    expect(lifted?.changes).to.deep.equal([
      { field: 'silenced', before: true, after: false, shown: 'whole' },
    ]);
    expect(lifted?.correlation_id).not.to.equal(correlation_id);
    expect(await ok(boss.get(`${AUDIT}/${id}`))).to.deep.equal(silenced);
  });

  it('records work on reports, with notes', async () => {
    const report = await file(alice, bob, { category: 'spam' });
    const from = await since();
    const path = `/api/v1/admin/reports/${report}`;
    for (const what of ['assign_to_self', 'unassign', 'resolve', 'reopen'])
      await ok(mod.post(`${path}/${what}`));
    await ok(mod.put(path, { category: 'other' }));
    const note = await ok(mod.post<ReportNote>(`${path}/notes`, { content: 'Known elsewhere' }));
    const entries = await list(`${from}&report=${report}`);
    expect(actions(entries)).to.deep.equal([
      ...['report_note.created', 'report.updated', 'report.reopened', 'report.resolved'],
      ...['report.unassigned', 'report.assigned'],
    ]);
    expect(entries[0]).to.deep.include({ text: 'Known elsewhere', changes: [] });
    expect(entries[0]?.targets.slice(0, 2)).to.deep.equal([
      { type: 'report_note', id: note.id, name: null },
      { type: 'account', id: bob.id, name: 'bob' },
    ]);
    expect(entries[1]?.changes).to.deep.equal([
      { field: 'category', before: 'spam', after: 'other', shown: 'whole' },
    ]);
    expect(await list(`target=${bob.id}&action[]=report.updated`)).to.deep.equal([entries[1]]);
  });

  it('records blocks and allows of domains, e-mail domains and mailboxes, and their ends', async () => {
    const from = await since();
    const admin = '/api/v1/admin';
    const make = (path: string, body: object): Promise<{ id: string }> =>
      ok(boss.post(`${admin}/${path}`, body));
    const block = await make('domain_blocks', { domain: 'Bad.example', public_comment: 'Spam' });
    await ok(boss.put(`${admin}/domain_blocks/${block.id}`, { severity: 'suspend' }));
    await ok(boss.delete(`${admin}/domain_blocks/${block.id}`));
    const allow = await make('domain_allows', { domain: 'good.example' });
    await ok(boss.delete(`${admin}/domain_allows/${allow.id}`));
    const mail = await make('email_domain_blocks', { domain: 'mail.example' });
    await ok(boss.delete(`${admin}/email_domain_blocks/${mail.id}`));
    const mailbox = await make('canonical_email_blocks', { email: 'who@example.com' });
    await ok(boss.delete(`${admin}/canonical_email_blocks/${mailbox.id}`));
    const entries = await list(from);
    expect(actions(entries).toReversed()).to.deep.equal([
      ...['domain_block.created', 'domain_block.updated', 'domain_block.deleted'],
      ...['domain_allow.created', 'domain_allow.deleted'],
      ...['email_domain_block.created', 'email_domain_block.deleted'],
      ...['canonical_email_block.created', 'canonical_email_block.deleted'],
    ]);
    expect(entries.every(({ actor }) => actor.account?.id === boss.id && actor.role === 'Owner')).to.equal(
      true,
    );
    const ofDomain = await list(`${from}&domain=BAD.example.`);
    expect(ofDomain.map(({ targets }) => targets)).to.deep.equal(
      Array.from({ length: 3 }, () => [{ type: 'domain_block', id: block.id, name: 'bad.example' }]),
    );
    expect(ofDomain[1]?.changes).to.deep.equal([
      { field: 'severity', before: 'silence', after: 'suspend', shown: 'whole' },
    ]);
    expect(ofDomain[0]?.changes).to.deep.include({
      field: 'public_comment',
      before: 'Spam',
      after: null,
      shown: 'whole',
    });
    expect(JSON.stringify(entries)).not.to.include('who@example.com');
  });

  it('erases an IP range together with its block', async () => {
    const from = await since();
    const body = { ip: '198.51.100.0/24', severity: 'no_access', comment: 'Scrapes' };
    const { id } = await ok(boss.post<{ id: string }>('/api/v1/admin/ip_blocks', body));
    await ok(boss.put(`/api/v1/admin/ip_blocks/${id}`, { severity: 'sign_up_block', comment: 'Scraped' }));
    const before = await list(from);
    expect(before.map(({ targets }) => targets)).to.deep.equal([
      [{ type: 'ip_block', id, name: '198.51.100.0/24' }],
      [{ type: 'ip_block', id, name: '198.51.100.0/24' }],
    ]);
    expect(before[0]?.changes).to.deep.equal([
      { field: 'severity', before: 'no_access', after: 'sign_up_block', shown: 'whole' },
    ]);
    await ok(boss.delete(`/api/v1/admin/ip_blocks/${id}`));
    const after = await list(from);
    expect(actions(after)).to.deep.equal(['ip_block.deleted', 'ip_block.updated', 'ip_block.created']);
    expect(JSON.stringify([...before, ...after])).not.to.include('Scrap');
    expect(JSON.stringify(after)).not.to.include('198.51.100');
  });

  it('records automatic actions under the name of their rule', async () => {
    const from = await since();
    const body = { ip: '203.0.113.9', severity: 'sign_up_block', expires_in: 1 };
    await ok(boss.post('/api/v1/admin/ip_blocks', body));
    await eventually(async () => {
      expect(actions(await list(`${from}&actor_kind=automation`))).to.deep.equal(['ip_block.deleted']);
    });
    const [ended] = await list(`${from}&actor_kind[]=automation`);
    expect(ended?.actor).to.deep.equal({ kind: 'automation', account: null, role: null, name: 'ip-blocks' });
    expect(ended?.application).to.equal(null);
  });

  it('records review requests and reviews of hashtags', async () => {
    const from = await since();
    await askForReviews(town.app.systemContext('spec'), [{ subject: 'tag', key: 'eggs', name: 'eggs' }]);
    await town.waitUntilIdle();
    const id = tagId('eggs');
    await ok(mod.post(`/api/v1/admin/trends/tags/${id}/approve`));
    await ok(mod.put(`/api/v1/admin/tags/${id}`, { display_name: 'Eggs', trendable: false }));
    const [renamed, rejected, approved, asked, ...others] = await list(from);
    expect(others).to.deep.equal([]);
    expect(asked).to.deep.include({ action: 'trend.review_requested' });
    expect(asked?.actor).to.deep.include({ kind: 'automation', name: 'spec' });
    expect(asked?.targets).to.deep.equal([{ type: 'trend', id: null, name: null }]);
    expect(asked?.changes[0]).to.deep.equal({ field: 'tags', before: null, after: ['eggs'], shown: 'whole' });
    expect([approved, rejected, renamed].map((entry) => entry?.changes[0])).to.deep.equal([
      { field: 'trendable', before: null, after: true, shown: 'whole' },
      { field: 'trendable', before: true, after: false, shown: 'whole' },
      { field: 'display_name', before: null, after: 'Eggs', shown: 'whole' },
    ]);
  });

  it('records approved and rejected sign-ups, rejected ones without a name', async () => {
    const [nell, otto] = await Promise.all(['nell', 'otto'].map(applicant));
    const from = await since();
    await does(mod, nell!, 'approve');
    await does(mod, otto!, 'reject');
    const [rejected, approved, ...others] = await list(from);
    expect(others).to.deep.equal([]);
    expect(approved).to.deep.include({
      action: 'account.approved',
      targets: [{ type: 'account', id: nell?.id, name: 'nell' }],
      changes: [{ field: 'approved', before: false, after: true, shown: 'whole' }],
    });
    expect(rejected).to.deep.include({
      action: 'account.rejected',
      targets: [{ type: 'account', id: otto?.id, name: null }],
    });
  });

  describe('with filters', () => {
    let from: string;
    let carol: Person;
    let dave: string;
    let status: Status;
    before(async () => {
      carol = await town.person('carol');
      dave = await remoteAccount(town.app, 'dave', 'far.example');
      status = await post(carol, 'Hm');
      const report = await file(alice, carol, { status_ids: [status.id] });
      from = await since();
      await act(mod, carol, 'none', { text: 'Careful', report_id: report });
      await act(boss, carol, 'sensitive');
      await act(mod, { id: dave }, 'silence');
      await does(boss, carol, 'unsensitive');
    });
    const found = async (query: string): Promise<string[]> => actions(await list(`${from}&${query}`));

    const ALL = [
      ...['account.unsensitized', 'account.silenced', 'account.sensitized'],
      ...['report.resolved', 'account.warned'],
    ];
    it('lists all entries without a filter or with empty ones', async () => {
      expect(await found('')).to.deep.equal(ALL);
      expect(await found('actor=&role=&domain=&from=&until=&action=')).to.deep.equal(ALL);
    });
    it('filters by actor', async () => {
      expect(await found(`actor=${boss.id}`)).to.deep.equal([ALL[0], ALL[2]]);
      for (const nobody of [alice.id, ABSENT, 'x', '0'])
        expect(await found(`actor=${nobody}`), nobody).to.deep.equal([]);
    });
    it('filters by role, by name or id', async () => {
      for (const role of ['Moderator', '1'])
        expect(await found(`role[]=${role}`)).to.deep.equal([ALL[1], ALL[3], ALL[4]]);
      expect(await found('role[]=Owner&role[]=Moderator')).to.deep.equal(ALL);
    });
    it('filters by the target account', async () => {
      expect(await found(`target=${carol.id}`)).to.deep.equal(ALL.filter((_, index) => index !== 1));
      expect(await found(`target=${dave}`)).to.deep.equal([ALL[1]]);
    });
    it('filters by the domain of the target', async () => {
      expect(await found('domain=far.example')).to.deep.equal([ALL[1]]);
      expect(await found('domain=nowhere.example')).to.deep.equal([]);
      expect(await found('domain=%25')).to.deep.equal([]);
      const [entry] = await list(`${from}&domain=far.example`);
      expect(entry?.targets[0]?.name).to.equal('dave@far.example');
    });
    it('filters by post', async () => {
      expect(await found(`status=${status.id}`)).to.deep.equal([ALL[4]]);
      expect(await found(`status=${ABSENT}`)).to.deep.equal([]);
    });
    it('filters by application', async () => {
      const [entry] = await list(from);
      expect(await found(`application_id=${entry?.application?.id}`)).to.deep.equal(ALL);
      expect(await found(`application_id=${ABSENT}`)).to.deep.equal([]);
    });
    it('filters by one or several actions', async () => {
      expect(await found('action[]=account.silenced&action[]=account.warned')).to.deep.equal([
        ALL[1],
        ALL[4],
      ]);
      expect(await found('action=account.silenced')).to.deep.equal([ALL[1]]);
    });
    it('filters by time', async () => {
      const entries = await list(from);
      const at = encodeURIComponent(entries[1]?.created_at ?? '');
      const earlier = entries.filter(({ created_at }) => created_at < entries[1]!.created_at);
      const later = entries.filter(({ created_at }) => created_at >= entries[1]!.created_at);
      expect(await list(`${from}&until=${at}`)).to.deep.equal(earlier);
      expect(await list(`${from}&from=${at}`)).to.deep.equal(later);
      expect(await found('from=2999-01-01')).to.deep.equal([]);
      expect(await found('until=2999-01-01')).to.deep.equal(ALL);
    });
    it('combines filters', async () => {
      const query = `actor=${mod.id}&role=Moderator&target=${carol.id}&status=${status.id}&action=account.warned`;
      expect(await found(`${query}&from=2000-01-01&actor_kind=user`)).to.deep.equal([ALL[4]]);
      expect(await found(`${query}&domain=far.example`)).to.deep.equal([]);
    });
    it('refuses unknown values, and does not record the request', async () => {
      const before = await town.events();
      const several = 'action[]=account.silenced&action[]=x';
      for (const wrong of ['action=nothing', several, 'actor_kind=ghost', 'role=Nobody']) {
        const { status, json } = await boss.get(`${AUDIT}?${wrong}`);
        expect(status, wrong).to.equal(422);
        expect(json)
          .to.have.property('error')
          .that.matches(/^Validation failed: (?:Action|Actor kind|Role) is not included in the list$/);
      }
      expect(await town.events()).to.equal(before);
    });
    it('refuses invalid times and periods', async () => {
      for (const wrong of ['yesterday', '0000-01-01', '2026-13-01', '02/12/2026', '9'.repeat(39)]) {
        expect((await boss.get(`${AUDIT}?from=${wrong}`)).status, wrong).to.equal(422);
        expect((await boss.get(`${AUDIT}?until=${wrong}`)).status, wrong).to.equal(422);
      }
      expect((await boss.get(`${AUDIT}?from=2026-12-01&until=2026-11-30`)).status).to.equal(422);
    });
  });

  it('finds by its time an event that reached the log a day late', async () => {
    const from = await since();
    await ok(boss.post('/api/v1/admin/domain_allows', { domain: 'soon.example' }));
    await town.waitUntilIdle();
    const hours = (count: number): string => new Date(Date.now() + count * 3_600_000).toISOString();
    await town.app.log.append(domainAllowStream('late.example'), NO_STREAM, [
      {
        id: randomUUID(),
        type: 'DomainAllowed',
        data: { id: ABSENT, domain: 'late.example' },
        metadata: { time: hours(-20), command_id: 'late', correlation_id: 'late' },
      },
    ]);
    const names = async (query: string): Promise<(string | null | undefined)[]> =>
      (await list(`${from}&${query}`)).map(({ targets }) => targets[0]?.name);
    expect(await names(`until=${hours(1)}`)).to.deep.equal(['late.example', 'soon.example']);
    expect(await names(`until=${hours(-10)}`)).to.deep.equal(['late.example']);
    expect(await names(`from=${hours(-10)}`)).to.deep.equal(['soon.example']);
    expect(await names(`from=${hours(-21)}`)).to.deep.equal(['late.example', 'soon.example']);
  });

  it('is paged forwards and backwards, with each entry once', async () => {
    for (let n = 0; n < 3; n += 1) {
      await act(mod, alice, 'sensitive');
      await does(mod, alice, 'unsensitive');
    }
    const all = await list(`limit=200&target=${alice.id}`);
    expect(all.length).to.be.greaterThanOrEqual(6);
    const walk = async (query: string, rel: string): Promise<AuditEntry[][]> => {
      const pages: AuditEntry[][] = [];
      for (let next: string | undefined = query; next !== undefined;) {
        const { json, links }: Answer<AuditEntry[]> = await boss.get<AuditEntry[]>(`${AUDIT}?${next}`);
        if (json.length > 0) pages.push(json);
        next = json.length > 0 ? links[rel] : undefined;
      }
      return pages;
    };
    const forth = await walk(`limit=4&target=${alice.id}`, 'next');
    expect(forth.flat()).to.deep.equal(all);
    expect(forth.slice(0, -1).every(({ length }) => length === 4)).to.equal(true);
    const oldest = all.at(-1)?.id;
    const back = await walk(`limit=4&target=${alice.id}&min_id=${oldest}`, 'prev');
    expect(back.toReversed().flat()).to.deep.equal(all.slice(0, -1));
    const newest = await ok(boss.get<AuditEntry[]>(`${AUDIT}?limit=2&target=${alice.id}&since_id=${oldest}`));
    expect(newest).to.deep.equal(all.slice(0, 2));
  });

  describe('with permissions', () => {
    it('is limited to staff with the permission and the scope', async () => {
      const everything = await alice.withScopes('read', 'write', 'admin:read', 'admin:write');
      const [{ id }] = (await list('limit=40')) as [AuditEntry, ...AuditEntry[]];
      for (const path of [AUDIT, `${AUDIT}/${id}`]) {
        expect(await everything.get(path)).to.deep.include({ status: 403, json: NOT_ALLOWED });
        expect((await mod.get(path)).status).to.equal(200);
        expect((await (await mod.withScopes('admin:read')).get(path)).status).to.equal(200);
        const others = ['read', 'write', 'admin:write', 'admin:read:accounts', 'admin:read:reports'];
        expect((await (await mod.withScopes(...others)).get(path)).status).to.equal(403);
        expect((await town.nobody.get(path)).status).to.equal(403);
        expect((await (await town.appOnly()).get(path)).status).to.equal(403);
      }
    });

    it('answers 404 at positions without an entry', async () => {
      for (const id of ['x', '0', String(start), ABSENT, '9223372036854775807', '9223372036854775808'])
        expect((await boss.get(`${AUDIT}/${id}`)).status, id).to.equal(404);
    });

    it('is the only place that names the acting member of staff', async () => {
      const eve = await town.person('eve');
      const report = await file(eve, bob);
      await act(mod, eve, 'silence', { text: 'No' });
      await act(mod, bob, 'none', { text: 'No', report_id: report });
      await town.waitUntilIdle();
      const seen = await Promise.all(
        [
          ...['/api/v1/notifications', '/api/v2/notifications', '/api/v1/accounts/verify_credentials'],
          ...[`/api/v1/accounts/${bob.id}`, '/api/v1/instance', '/api/v2/instance', '/api/v1/announcements'],
        ].map(async (path) => ok(eve.get(path))),
      );
      expect(JSON.stringify(seen)).to.include('moderation_warning').and.not.to.include(mod.id);
    });
  });
});

import { expect } from 'chai';
import type {
  AccountRecord,
  AuditEntry,
  QueuedReport,
  Report,
  ReportCase,
  Status,
  Waiting,
} from '#mastodon/schemas/index.ts';
import { type Answer, type Client, describeTown, ok, type Person } from '../support/people.ts';
import { remoteAccount } from '../support/remote.ts';
import { applicant, settled } from './people.ts';

const REPORTS = '/api/v1/admin/reports';

describeTown('Endpoints for moderators beside those of Mastodon', function (town) {
  this.timeout(60_000);
  let alice: Person;
  let mod: Person;
  let second: Person;
  let count = 0;

  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
    mod = await town.staff('mod', 'Moderator');
    second = await town.staff('second', 'Admin');
  });

  const done = <Json>(answer: Promise<Answer<Json>>): Promise<Json> => settled(town, answer);
  const somebody = (): Promise<Person> => town.person(`somebody${(count += 1)}`);
  const reported = async (
    who: Pick<Person, 'id'>,
    { by = alice, ...more }: { by?: Client; comment?: string; status_ids?: string[] } = {},
  ): Promise<string> => (await done(by.post<Report>('/api/v1/reports', { account_id: who.id, ...more }))).id;
  const queue = async (query: string, who: Client = mod): Promise<string[]> =>
    (await ok(who.get<QueuedReport[]>(`${REPORTS}/queue${query}`))).map(({ id }) => id);
  const caseOf = (id: string): Promise<ReportCase> => ok(mod.get<ReportCase>(`${REPORTS}/${id}/case`));
  const strikesOf = async ({ id }: Person): Promise<string[]> =>
    (await ok(mod.get<AccountRecord>(`/api/v1/admin/accounts/${id}/record`))).strikes.map(
      ({ action }) => action,
    );

  it('lists reports without their evidence, by assignment, origin and domain', async () => {
    const bob = await somebody();
    const far = await remoteAccount(town.app, 'far', 'far.example');
    await town.waitUntilIdle();
    const one = await reported(bob, { comment: 'Rude' });
    const two = await reported({ id: far });
    await done(mod.post(`${REPORTS}/${one}/assign_to_self`));
    await done(mod.post(`${REPORTS}/${one}/notes`, { content: 'Looks bad' }));
    const [first] = await ok(mod.get<QueuedReport[]>(`${REPORTS}/queue?assigned=me`));
    expect(first).to.deep.include({ id: one, comment: 'Rude', notes_count: 1, statuses_count: 0 });
    expect([first?.account.id, first?.target_account.id, first?.assigned_account?.id]).to.deep.equal([
      ...[alice.id, bob.id, mod.id],
    ]);
    expect(await queue('')).to.deep.equal([two, one]);
    expect(await queue('?assigned=nobody')).to.deep.equal([two]);
    expect(await queue('?assigned=me', second)).to.deep.equal([]);
    expect(await queue('?target_origin=local')).to.deep.equal([one]);
    expect(await queue('?by_target_domain=FAR.example')).to.deep.equal([two]);
    expect(await queue('?by_reporter_domain=far.example')).to.deep.equal([]);
    expect(await queue(`?target_account_id=${far}`)).to.deep.equal([two]);
    expect(await queue('?account_id=nonsense')).to.deep.equal([]);
    expect(await queue('?resolved=true')).to.deep.equal([]);
    expect((await mod.get(`${REPORTS}/queue?assigned=them`)).status).to.equal(422);
    expect((await alice.get(`${REPORTS}/queue`)).status).to.equal(403);
  });

  it('shows a report with notes, the history of both sides, and the reports beside it', async () => {
    const bob = await somebody();
    const post = await done(bob.post<Status>('/api/v1/statuses', { status: 'As it was' }));
    const earlier = await reported(bob, { comment: 'x'.repeat(300) });
    const id = await reported(bob, { status_ids: [post.id] });
    const later = await reported(await somebody());
    await done(bob.put(`/api/v1/statuses/${post.id}`, { status: 'Edited' }));
    await done(mod.post(`${REPORTS}/${id}/notes`, { content: 'Hm' }));
    await done(mod.post(`/api/v1/admin/accounts/${bob.id}/action`, { type: 'none', text: 'Mind' }));
    const found = await caseOf(id);
    expect(found.report).to.deep.equal(await ok(mod.get(`${REPORTS}/${id}`)));
    expect(found.report.statuses[0]?.content).to.equal('<p>As it was</p>');
    expect(found.notes.map(({ content, account }) => [content, account?.acct])).to.deep.equal([
      ['Hm', 'mod'],
    ]);
    expect(found.about_target.count).to.equal(1);
    expect(found.about_target.reports[0]).to.deep.include({ id: earlier, comment: 'x'.repeat(200) });
    expect(found.by_reporter.reports.map(({ id: each }) => each)).to.include.members([earlier, later]);
    expect(found.strikes[0]).to.deep.include({
      action: 'none',
      text: 'Mind',
      account: { id: mod.id, acct: 'mod' },
      appeal: null,
    });
    expect([found.previous_id, found.next_id]).to.deep.equal([later, earlier]);
    for (const strange of ['0', 'nonsense', post.id])
      expect((await mod.get(`${REPORTS}/${strange}/case`)).status).to.equal(404);
    expect((await alice.get(`${REPORTS}/${id}/case`)).status).to.equal(403);
  });

  for (const [name, decide] of [
    ['a resolution', (id: string) => [`${REPORTS}/${id}/resolve`, {}]],
    ['an action on posts', (id: string) => [`${REPORTS}/${id}/action`, { type: 'mark_as_sensitive' }]],
    [
      'an action on the account',
      (id: string, who: Person) => [
        `/api/v1/admin/accounts/${who.id}/action`,
        { type: 'silence', report_id: id },
      ],
    ],
  ] as const) {
    it(`lets one of two moderators decide, and refuses the other: ${name}`, async () => {
      const bob = await somebody();
      const post = await done(bob.post<Status>('/api/v1/statuses', { status: 'Loud' }));
      const id = await reported(bob, { status_ids: [post.id] });
      const [path, body] = decide(id, bob) as [string, object];
      const before = (await strikesOf(bob)).length;
      const answers = await Promise.all(
        [mod, second, mod, second].map((who) => who.post(path, { ...body, if_unresolved: true })),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409]);
      await town.waitUntilIdle();
      expect((await strikesOf(bob)).length - before).to.equal(name === 'a resolution' ? 0 : 1);
      const entries = await ok(second.get<AuditEntry[]>(`/api/v1/admin/audit?report=${id}&limit=40`));
      const resolved = entries.filter(({ action }) => action === 'report.resolved');
      expect(resolved.map(({ actor }) => actor.account?.id)).to.have.length(1);
      expect((await caseOf(id)).report.action_taken).to.equal(true);
      // Without the parameter a repeat is as before.
      expect((await mod.post(path, body)).status).to.equal(200);
    });
  }

  it('leaves a report unresolved where its action is refused', async () => {
    const owner = await town.staff('owner', 'Owner');
    const id = await reported(owner);
    const refused = await mod.post(`/api/v1/admin/accounts/${owner.id}/action`, {
      type: 'suspend',
      report_id: id,
      if_unresolved: true,
    });
    expect(refused.status).to.equal(403);
    expect((await caseOf(id)).report.action_taken).to.equal(false);
  });

  it('shows the record of an account', async () => {
    const bob = await somebody();
    const id = await reported(bob, { comment: 'Again' });
    await done(mod.post(`${REPORTS}/${id}/notes`, { content: 'Watch them' }));
    const record = await ok(mod.get<AccountRecord>(`/api/v1/admin/accounts/${bob.id}/record`));
    expect(record.account).to.deep.equal(await ok(mod.get(`/api/v1/admin/accounts/${bob.id}`)));
    expect(record).to.deep.include({ sessions_count: 0, strikes: [] });
    expect(record.about_target.reports.map(({ comment }) => comment)).to.deep.equal(['Again']);
    expect(record.by_reporter).to.deep.equal({ count: 0, reports: [] });
    expect(record.notes.map(({ content, report_id }) => [content, report_id])).to.deep.equal([
      ['Watch them', id],
    ]);
    expect((await mod.get('/api/v1/admin/accounts/1/record')).status).to.equal(404);
    expect((await alice.get(`/api/v1/admin/accounts/${bob.id}/record`)).status).to.equal(403);
  });

  it('counts what waits, without what the role may not decide', async () => {
    const before = await ok(second.get<Waiting>('/api/v1/admin/waiting'));
    await applicant(town, 'applicant');
    const id = await reported(await somebody());
    await done(second.post(`${REPORTS}/${id}/assign_to_self`));
    const after = await ok(second.get<Waiting>('/api/v1/admin/waiting'));
    expect(after.sign_ups).to.equal((before.sign_ups ?? 0) + 1);
    expect(after.reports).to.deep.equal({
      unresolved: before.reports!.unresolved + 1,
      unassigned: before.reports!.unassigned,
      mine: before.reports!.mine + 1,
    });
    expect(after.appeals).to.equal(0);
    expect(after.trends).to.deep.equal({ tags: 0, links: 0, statuses: 0 });
    expect((await ok(mod.get<Waiting>('/api/v1/admin/waiting'))).appeals).to.equal(null);
    expect((await alice.get('/api/v1/admin/waiting')).status).to.equal(403);
  });
});

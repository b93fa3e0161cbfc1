import { expect } from 'chai';
import { createAccount } from '#commands/accounts/index.ts';
import { addRule, changeSettings, moveRule } from '#commands/instance/index.ts';
import { appealStrike } from '#commands/strikes/index.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import type { AuditEntry, Replay, ReplaySubject, Report, Status } from '#mastodon/schemas/index.ts';
import type { Database } from '#storage/postgres/db.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import { openScratchDatabase } from '../support/projection.ts';
import { remoteAccount } from '../support/remote.ts';
import { dice } from '../transparency-log/changes.ts';
import { compare, replayAll } from './full-replay.ts';

const SUBJECTS = '/api/v1/admin/audit/subjects';
const POINTS = 200;

describeTown('The replay of one subject', (town) => {
  let alice: Person;
  let bob: Person;
  let eve: Person;
  let mod: Person;
  let boss: Person;
  let far: string;
  let post: Status;
  let report: string;
  let scratch: Database;
  before(async function () {
    this.timeout(180_000);
    scratch = await openScratchDatabase();
    [alice, bob, eve] = await Promise.all([town.person('alice'), town.person('bob'), town.person('eve')]);
    mod = await town.staff('mod', 'Moderator');
    boss = await town.staff('boss', 'Owner');
    far = await remoteAccount(town.app, 'fay', 'sub.far.example');
    await happenings();
    await town.waitUntilIdle();
  });
  after(() => scratch?.close());

  const admin = (path: string, body: object = {}): Promise<unknown> =>
    ok(boss.post(`/api/v1/admin/${path}`, body));
  const act = (id: string, type: string, more: object = {}): Promise<unknown> =>
    ok(mod.post(`/api/v1/admin/accounts/${id}/action`, { type, ...more }));
  const file = async (by: Person, id: string, more: object = {}): Promise<string> =>
    (await ok(by.post<Report>('/api/v1/reports', { account_id: id, ...more }))).id;
  const write = (by: Person, status: string, more: object = {}): Promise<Status> =>
    ok(by.post<Status>('/api/v1/statuses', { status, ...more }));
  const replay = (kind: string, id: string, step?: number): Promise<Replay> =>
    ok(boss.get<Replay>(`${SUBJECTS}/${kind}/${id}${step === undefined ? '' : `?step=${step}`}`));

  /** A history of all kinds, with reversals. */
  async function happenings(): Promise<void> {
    const ctx = (): ReturnType<typeof town.app.systemContext> => town.app.systemContext('spec');
    await town.change(bob, { display_name: 'Bob of the eggs', note: 'I sell eggs' });
    post = await write(bob, 'Buy eggs', { spoiler_text: 'Eggs' });
    const other = await write(bob, 'More eggs', { visibility: 'private' });
    await town.waitUntilIdle();
    report = await file(alice, bob.id, { status_ids: [post.id], comment: 'He sells eggs', category: 'spam' });
    await ok(mod.post(`/api/v1/admin/reports/${report}/assign_to_self`));
    await ok(mod.post(`/api/v1/admin/reports/${report}/notes`, { content: 'Known for eggs' }));
    await ok(bob.put(`/api/v1/statuses/${post.id}`, { status: 'Buy nothing' }));
    await act(bob.id, 'suspend', { text: 'No eggs here', report_id: report });
    await town.waitUntilIdle();
    const [strike] = await town.app.db.query<{ id: string }>(
      'select id from account_warnings where account_id = $1',
      [bob.id],
    );
    await appealStrike(ctx(), { accountId: bob.id, strikeId: strike?.id ?? '', text: 'They are good eggs' });
    await town.waitUntilIdle();
    const [appeal] = await ok(boss.get<{ id: string }[]>('/api/v1/admin/appeals?limit=1'));
    await admin(`appeals/${appeal?.id}/approve`);
    await ok(mod.post(`/api/v1/admin/reports/${report}/reopen`));
    await ok(mod.put(`/api/v1/admin/reports/${report}`, { category: 'other' }));
    await act(bob.id, 'silence');
    await admin(`accounts/${bob.id}/unsilence`);
    await act(bob.id, 'sensitive');
    await admin(`statuses/${post.id}/mark_as_sensitive`);
    await ok(bob.delete(`/api/v1/statuses/${other.id}`));
    await admin(`accounts/${bob.id}/unsensitive`);
    await act(bob.id, 'disable');
    await admin(`accounts/${bob.id}/enable`);
    await ok(mod.post(`/api/v1/admin/reports/${report}/resolve`));
    await file(bob, far, { comment: 'Far eggs' });
    const block = await ok(
      boss.post<{ id: string }>('/api/v1/admin/domain_blocks', {
        domain: 'far.example',
        severity: 'silence',
      }),
    );
    await act(far, 'silence');
    const path = `/api/v1/admin/domain_blocks/${block.id}`;
    await ok(boss.put(path, { severity: 'suspend', private_comment: 'Eggs', reject_media: true }));
    await ok(boss.delete(path));
    await addRule(ctx(), { text: 'Be kind', hint: '' });
    await addRule(ctx(), { text: 'No eggs', hint: 'None' });
    await moveRule(ctx(), { id: 2, place: 1 });
    await changeSettings(ctx(), { title: 'The Rookery' });
    await changeSettings(ctx(), { title: 'The Nest', registrations: 'approved' });
    const evil = await write(eve, 'Evil eggs');
    await town.waitUntilIdle();
    await file(alice, eve.id, { status_ids: [evil.id], comment: 'Evil' });
    await act(eve.id, 'suspend', { text: 'Evil' });
    await ok(boss.delete(`/api/v1/admin/accounts/${eve.id}`));
    await createAccount(ctx(), {
      username: 'waiting',
      email: 'waiting@example.org',
      password: 'correct horse',
      locale: 'en',
      confirmed: true,
      approved: false,
      role: null,
      reason: 'Hm',
      applicationId: null,
      signUpIp: null,
    });
  }

  it(`has the state that a full replay has, at ${POINTS} random points`, async function () {
    this.timeout(180_000);
    const [waiting] = await town.app.db.query<{ id: string }>(
      "select id from accounts where username = 'waiting'",
    );
    await admin(`accounts/${waiting?.id}/reject`);
    await town.waitUntilIdle();
    const reports = await town.app.db.query<{ id: string }>('select id from reports');
    const subjects: [string, string][] = [
      ...[alice.id, bob.id, eve.id, far, waiting!.id].map((id): [string, string] => ['account', id]),
      ...reports.map(({ id }): [string, string] => ['report', id]),
      ['status', post.id],
      ['domain', 'far.example'],
      ['rule', '1'],
      ['rule', '2'],
      ['setting', 'title'],
    ];
    const roll = dice(27);
    const points: { position: bigint; found: Replay }[] = [];
    while (points.length < POINTS) {
      const [kind, id] = subjects[roll(subjects.length)]!;
      const { count } = await replay(kind, id);
      const step = 1 + roll(count);
      const found = await replay(kind, id, step);
      const position = found.steps.find((each) => each.step === step)?.position;
      points.push({ position: BigInt(position ?? 0), found });
    }
    const events: RecordedEvent[] = [];
    for (let more = await town.app.log.readAll(0n, 1_000); more.length > 0;) {
      events.push(...more);
      more = await town.app.log.readAll(events.at(-1)!.position, 1_000);
    }
    let compared = 0;
    await replayAll(scratch, events, async (position, db) => {
      for (const { found } of points.filter((each) => each.position === position)) {
        await compare(found, db);
        compared += 1;
      }
    });
    expect(compared).to.equal(POINTS);
  });

  it('shows what a step changed, who did it, and the line of the audit', async () => {
    const { steps } = await replay('account', bob.id);
    const { step, entry_id, actor } = steps.find(({ type }) => type === 'AccountSuspended')!;
    expect(actor).to.deep.equal({
      kind: 'user',
      account: { id: mod.id, acct: 'mod' },
      role: 'Moderator',
      name: null,
    });
    const { changes, state } = await replay('account', bob.id, step);
    expect(changes).to.deep.include({ field: 'account.suspended', before: false, after: true });
    expect(changes).to.deep.include({ field: 'account.audience', before: 'everyone', after: 'staff' });
    expect(state.account?.suspended).to.equal(true);
    const entry = await ok(boss.get<AuditEntry>(`/api/v1/admin/audit/${entry_id}`));
    expect(entry.action).to.equal('account.suspended');
  });

  it('shows the reported posts as they were reported', async () => {
    const { state, steps } = await replay('report', report);
    expect(steps[0]?.type).to.equal('ReportFiled');
    expect(state.posts[0]).to.deep.include({
      text: 'Buy eggs',
      spoiler_text: 'Eggs',
      edits: 2,
      evidence: true,
    });
    expect(state.reports[0]).to.deep.include({
      comment: 'He sells eggs',
      category: 'other',
      state: 'resolved',
    });
    expect(state.strikes[0]).to.deep.include({ action: 'suspend', overruled: true, appeal: 'approved' });
  });

  it('says of erased texts that they are erased, at every step', async () => {
    const { count } = await replay('account', eve.id);
    for (let step = 1; step <= count; step += 1) {
      const { state } = await replay('account', eve.id, step);
      expect(state.account?.shown, `step ${step}`).to.equal('erased');
      for (const { shown, text } of [...state.strikes, ...state.posts]) {
        expect([shown, text], `step ${step}`).to.deep.equal(['erased', '']);
      }
    }
    expect((await replay('account', eve.id)).state.account).to.deep.include({
      state: 'erased',
      audience: 'nobody',
    });
  });

  it('withholds the texts of posts that staff may not see', async () => {
    const secret = await write(alice, 'A secret of @alice', { visibility: 'direct' });
    const open = await write(alice, 'For all');
    await town.waitUntilIdle();
    const [hidden] = (await replay('status', secret.id)).state.posts;
    expect(hidden).to.deep.include({ text: '', shown: 'withheld', audience: 'mentioned' });
    expect((await replay('status', open.id)).state.posts[0]).to.deep.include({
      text: 'For all',
      shown: 'whole',
    });
    await ok(alice.delete(`/api/v1/statuses/${open.id}`));
    const [gone] = (await replay('status', open.id, 1)).state.posts;
    expect(gone).to.deep.include({ text: '', shown: 'withheld', state: 'visible' });
  });

  it('begins before the first step, and ends at the last', async () => {
    const { state, changes, steps } = await replay('account', bob.id, 0);
    expect(state.account).to.equal(null);
    expect(changes).to.deep.equal([]);
    expect(steps[0]?.step).to.equal(1);
    const { count } = await replay('account', bob.id);
    expect((await boss.get(`${SUBJECTS}/account/${bob.id}?step=${count + 1}`)).status).to.equal(404);
  });

  it('lists long histories in pages of steps', async () => {
    const { count } = await replay('account', bob.id);
    const page = await ok(boss.get<Replay>(`${SUBJECTS}/account/${bob.id}?step=6&limit=5`));
    expect(page.steps.map(({ step }) => step)).to.deep.equal([6, 7, 8, 9, 10]);
    expect(page.count).to.equal(count);
  });

  it('shows a setting that was never changed', async () => {
    const { count, step, state } = await replay('setting', 'contact_email');
    expect([count, step, state.setting?.value]).to.deep.equal([0, 0, '']);
  });

  it('has nothing for ids that are none, and kinds that are unknown', async () => {
    const absent = [
      ...['account/x', 'account/0', 'account/-1', 'account/99999999999999999999', `account/${post.id}`],
      ...['status/1', 'report/1', 'domain/unknown.example', 'domain/FAR.example', 'domain/a%20b', 'rule/99'],
      ...['rule/x', 'setting/nothing', 'setting/__proto__', 'planet/1', 'toString/1'],
    ];
    for (const path of absent) expect((await boss.get(`${SUBJECTS}/${path}`)).status, path).to.equal(404);
    for (const step of ['-1', '1000001', '9'.repeat(30)]) {
      const { status } = await boss.get(`${SUBJECTS}/account/${bob.id}?step=${step}`);
      expect(status, step).to.equal(422);
    }
  });

  it('finds subjects by handle, id, domain and setting, and those acted on last', async () => {
    const find = async (q: string): Promise<[string, string][]> =>
      (await ok(boss.get<ReplaySubject[]>(`${SUBJECTS}?q=${encodeURIComponent(q)}`))).map(({ kind, id }) => [
        kind,
        id,
      ]);
    expect(await find('@bob')).to.deep.equal([['account', bob.id]]);
    expect(await find('fay@sub.far.example')).to.deep.equal([['account', far]]);
    expect(await find(bob.id)).to.deep.equal([['account', bob.id]]);
    expect(await find(report)).to.deep.equal([['report', report]]);
    expect(await find('FAR.example')).to.deep.equal([['domain', 'far.example']]);
    expect(await find('contact email')).to.deep.equal([['setting', 'contact_email']]);
    expect(await find('🦉'.repeat(10))).to.deep.equal([]);
    const recent = await find('');
    expect(recent).to.deep.include(['account', bob.id]).and.deep.include(['domain', 'far.example']);
    expect((await boss.get(`${SUBJECTS}?q=${'x'.repeat(501)}`)).status).to.equal(422);
  });

  it('is for roles that may see the audit log', async () => {
    for (const path of ['', `/account/${bob.id}`]) {
      expect((await alice.get(`${SUBJECTS}${path}`)).status).to.equal(403);
      expect((await mod.get(`${SUBJECTS}${path}`)).status).to.equal(200);
      expect((await town.nobody.get(`${SUBJECTS}${path}`)).status).to.equal(403);
    }
  });

  it('records the reader of a history once, however many steps they take', async () => {
    const path = `${SUBJECTS}/account/${alice.id}`;
    for (const step of [1, 2]) await ok(mod.get(`${path}?step=${step}`));
    await town.waitUntilIdle();
    const views = await ok(boss.get<AuditEntry[]>(`/api/v1/admin/audit?action[]=audit_log.viewed&limit=200`));
    const mine = views.filter(
      (entry) => entry.actor.account?.id === mod.id && JSON.stringify(entry.changes).includes(alice.id),
    );
    expect(mine).to.have.lengthOf(1);
  });
});

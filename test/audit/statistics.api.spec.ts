import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { allowDomain } from '#commands/admin/domain-allows/index.ts';
import { Context } from '#kernel/context.ts';
import { OPERATOR } from '#kernel/event.ts';
import type { AuditEntry, AuditMonth } from '#mastodon/schemas/index.ts';
import { type Result, rookeryBeside } from '../support/command-line.ts';
import { describeTown, ok, type Person } from '../support/people.ts';

const STATISTICS = '/api/v1/admin/audit/statistics';

describeTown('Statistics of the audit log', function (town) {
  this.timeout(60_000);
  let boss: Person;
  let mod: Person;
  let bob: Person;
  before(async function () {
    this.timeout(120_000);
    [boss, mod, bob] = await Promise.all([
      town.staff('boss', 'Owner'),
      town.staff('mod', 'Moderator'),
      town.person('bob'),
    ]);
    for (const [now, domain] of [
      ['2024-06-15T12:00:00.000Z', 'old.example'],
      ['2025-01-31T23:59:59.999Z', 'late.example'],
      ['2025-02-01T00:00:00.000Z', 'early.example'],
      ['2025-02-28T12:00:00.000Z', 'later.example'],
    ] as const) {
      await allowDomain(at(now), domain);
    }
    const path = `/api/v1/admin/accounts/${bob.id}`;
    await ok(mod.post(`${path}/action`, { type: 'silence' }));
    await ok(mod.post(`${path}/unsilence`));
    await ok(mod.post(`${path}/action`, { type: 'silence' }));
    await ok(boss.post('/api/v1/reports', { account_id: bob.id, category: 'spam' }));
    await ok(mod.post('/api/v1/reports', { account_id: bob.id, category: 'spam' }));
    await ok(mod.post('/api/v1/reports', { account_id: bob.id }));
    await town.waitUntilIdle();
  });

  /** The operator's context at a given time. */
  const at = (now: string): Context =>
    new Context(town.app.contextDependencies, {
      requestId: randomUUID(),
      ip: '',
      locale: undefined,
      rule: OPERATOR,
      identity: {
        commandId: randomUUID(),
        firstId: town.app.contextDependencies.newId(),
        now,
        repeated: false,
      },
    });
  const list = async (query = ''): Promise<AuditMonth[]> => {
    await town.waitUntilIdle();
    return ok(boss.get<AuditMonth[]>(`${STATISTICS}?${query}`));
  };
  const rookery = (...args: string[]): Promise<Result> =>
    rookeryBeside(town.app, 'audit', 'statistics', ...args);
  const allowed = (count: number): AuditMonth['entries'][number] => ({
    action: 'domain_allow.created',
    actor_kind: 'operator',
    count,
  });

  it('count entries by action and kind of actor, and reports by category', async () => {
    const [newest, ...others] = await list();
    expect(others).deep.equal([]);
    expect(newest?.month).equal(new Date().toISOString().slice(0, 7));
    const byUsers = newest?.entries.filter(({ action }) => action.startsWith('account.'));
    expect(byUsers).deep.include({ action: 'account.silenced', actor_kind: 'user', count: 2 });
    expect(byUsers).deep.include({ action: 'account.unsilenced', actor_kind: 'user', count: 1 });
    expect(newest?.reports).deep.equal([
      { category: 'other', count: 1 },
      { category: 'spam', count: 2 },
    ]);
  });

  it('list the months in UTC that have entries, newest first, by default those of a year', async () => {
    expect(await list('from=2024-01&until=2025-12')).deep.equal([
      { month: '2025-02', entries: [allowed(2)], reports: [] },
      { month: '2025-01', entries: [allowed(1)], reports: [] },
      { month: '2024-06', entries: [allowed(1)], reports: [] },
    ]);
    expect(
      (await list('until=2025-05')).map(({ month }) => month),
      'one year by default',
    ).deep.equal(['2025-02', '2025-01', '2024-06']);
    expect((await list('until=2025-06')).map(({ month }) => month)).deep.equal(['2025-02', '2025-01']);
    expect((await list('from=2025-02&until=2025-02')).map(({ month }) => month)).deep.equal(['2025-02']);
    expect(await list('from=2999-01')).deep.equal([]);
  });

  it('equal the counts of an export', async () => {
    const { stdout } = await rookeryBeside(town.app, 'audit', 'export');
    const counts = new Map<string, number>();
    for (const line of stdout.trimEnd().split('\n')) {
      const { created_at, action, actor } = JSON.parse(line) as AuditEntry;
      const key = [created_at.slice(0, 7), action, actor.kind].join();
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const months = await list('from=2020-01');
    const told = months.flatMap(({ month, entries }) =>
      entries.map(({ action, actor_kind, count }) => [[month, action, actor_kind].join(), count] as const),
    );
    // The reading of the statistics is recorded after the export.
    const others = ([key]: readonly [string, number]): boolean => !key.includes('audit_log.viewed');
    expect(told.filter(others).toSorted()).deep.equal([...counts].filter(others).toSorted());
  });

  it('are a CSV table on the command line', async () => {
    const { code, stdout, stderr } = await rookery('--from', '2025-01', '--until', '2025-02');
    expect({ code, stderr }).deep.equal({ code: 0, stderr: '' });
    expect(stdout.split('\r\n')).deep.equal([
      'month,action,actor_kind,category,count',
      '2025-02,domain_allow.created,operator,,2',
      '2025-01,domain_allow.created,operator,,1',
      '',
    ]);
    expect((await rookery()).stdout).contain(',report.created,,spam,2\r\n');
    const wrong = await rookery('--from', 'May');
    expect(wrong.code).equal(64);
    expect(wrong.stderr).contain('from must be a month such as 2026-11');
  });

  it('accept at most ten years of months', async () => {
    for (const query of ['from=2025', 'until=2025-13', 'from=2025-00', 'from=0001-01', 'from=2025-01-01']) {
      const { status, json } = await boss.get(`${STATISTICS}?${query}`);
      expect(status, query).equal(422);
      expect(json).property('error').contain('must be a month such as 2026-11');
    }
    for (const range of ['from=2010-01&until=2020-01', 'from=2025-03&until=2025-02']) {
      expect((await boss.get(`${STATISTICS}?${range}`)).status, range).equal(422);
    }
    expect((await boss.get(`${STATISTICS}?from=2010-01&until=2019-12`)).status).equal(200);
    expect((await boss.get(`${STATISTICS}?from=&until=`)).status).equal(200);
  });

  it('are limited to staff who may see the audit log', async () => {
    expect((await bob.get(STATISTICS)).status).equal(403);
    expect((await town.nobody.get(STATISTICS)).status).equal(403);
  });
});

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { allowDomain } from '#commands/admin/domain-allows/index.ts';
import { appealStrike } from '#commands/strikes/index.ts';
import type { AdminAppeal, TransparencyPeriod, TransparencyReport } from '#mastodon/schemas/index.ts';
import { alertOf, signedIn } from '../account-pages/support.ts';
import { load } from '../pages/parse.ts';
import { type Result, rookeryBeside } from '../support/command-line.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import type { Answer } from '../support/server.ts';
import { statementsOfPage } from './support.ts';

const REPORT = '/api/v1/admin/transparency';

describeTown('The transparency report', function (town) {
  this.timeout(60_000);
  let boss: Person;
  let mod: Person;
  let folder: string;
  const month = new Date().toISOString().slice(0, 7);

  const act = (who: Person, body: object): Promise<unknown> =>
    ok(mod.post(`/api/v1/admin/accounts/${who.id}/action`, body));
  const reported = async (who: Person, category: string, more: object = {}): Promise<string> =>
    (await ok(boss.post<{ id: string }>('/api/v1/reports', { account_id: who.id, category, ...more }))).id;

  before(async function () {
    this.timeout(120_000);
    folder = await mkdtemp(join(tmpdir(), 'rookery-report-'));
    [boss, mod] = await Promise.all([town.staff('boss', 'Owner'), town.staff('mod', 'Moderator')]);
    const people = await Promise.all(
      ['ann', 'ben', 'cid', 'dan', 'eva', 'fay'].map((name) => town.person(name)),
    );
    const [ann, ben, cid, dan, eva, fay] = people as [Person, Person, Person, Person, Person, Person];
    await act(ann, { type: 'suspend', report_id: await reported(ann, 'spam'), text: 'Spam' });
    await ok(boss.post(`/api/v1/admin/accounts/${ann.id}/unsuspend`));
    await act(ben, { type: 'silence', report_id: await reported(ben, 'legal') });
    await act(cid, { type: 'none', text: 'Mind the rules' });
    await act(cid, { type: 'disable' });
    await act(dan, { type: 'sensitive', report_id: await reported(dan, 'other') });
    const { id: post } = await ok(eva.post<{ id: string }>('/api/v1/statuses', { status: 'Buy this' }));
    const about = await reported(eva, 'spam', { status_ids: [post] });
    await ok(mod.post(`/api/v1/admin/reports/${about}/action`, { type: 'delete' }));
    await ok(boss.put(`/api/v1/admin/reports/${about}`, { category: 'violation', rule_ids: [] }));
    await ok(mod.post(`/api/v1/admin/reports/${await reported(fay, 'spam')}/resolve`));
    const reopened = await reported(fay, 'spam');
    await ok(mod.post(`/api/v1/admin/reports/${reopened}/resolve`));
    await ok(mod.post(`/api/v1/admin/reports/${reopened}/reopen`));
    await ok(boss.post('/api/v1/admin/domain_blocks', { domain: 'bad.example', severity: 'suspend' }));
    for (const [person, answer] of [
      [ben, 'approve'],
      [dan, 'reject'],
    ] as const) {
      await town.waitUntilIdle();
      const [strike] = await town.app.db.query<{ id: string }>(
        'select id from account_warnings where account_id = $1',
        [person.id],
      );
      await appealStrike(town.app.systemContext('spec'), {
        accountId: person.id,
        strikeId: strike?.id ?? '',
        text: 'I did nothing',
      });
      await town.waitUntilIdle();
      const [appeal] = await ok(boss.get<AdminAppeal[]>('/api/v1/admin/appeals'));
      await ok(boss.post(`/api/v1/admin/appeals/${appeal?.id}/${answer}`));
    }
    await allowDomain(town.app.systemContext('spec'), 'beside.example');
    await town.waitUntilIdle();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const get = (query = ''): Promise<TransparencyReport> =>
    ok(boss.get<TransparencyReport>(`${REPORT}?${query}`));
  const rookery = (...args: string[]): Promise<Result> => rookeryBeside(town.app, 'audit', 'report', ...args);
  const newest = async (query = ''): Promise<TransparencyPeriod> => {
    await town.waitUntilIdle();
    return (await get(query)).periods[0] as TransparencyPeriod;
  };

  it('counts sanctions by kind, ground and means', async () => {
    const { measures, totals } = await newest();
    const hand = { means: 'hand', count: 1 };
    expect(measures).to.deep.equal([
      { kind: 'warning', restriction: 'none', ground: 'own_initiative', ...hand, statements_of_reasons: 1 },
      {
        kind: 'post_deletion',
        restriction: 'visibility',
        ground: 'violation',
        ...hand,
        statements_of_reasons: 1,
      },
      {
        kind: 'account_sensitive',
        restriction: 'visibility',
        ground: 'other',
        ...hand,
        statements_of_reasons: 1,
      },
      {
        kind: 'account_limit',
        restriction: 'visibility',
        ground: 'legal',
        ...hand,
        statements_of_reasons: 1,
      },
      {
        kind: 'account_freeze',
        restriction: 'service',
        ground: 'own_initiative',
        ...hand,
        statements_of_reasons: 1,
      },
      {
        kind: 'account_suspension',
        restriction: 'account',
        ground: 'spam',
        ...hand,
        statements_of_reasons: 1,
      },
      {
        kind: 'server_block',
        restriction: 'server',
        ground: 'own_initiative',
        ...hand,
        statements_of_reasons: 0,
      },
    ]);
    expect(totals).to.include({ measures: 7, automated: 0, statements_of_reasons: 6, reversals: 2 });
  });

  it('counts reversals, reports and appeals with their outcome', async () => {
    const { reversals, reports, appeals } = await newest();
    expect(reversals).to.deep.equal([
      { kind: 'account_limit', count: 1, by_appeal: 1, automated: 0 },
      { kind: 'account_suspension', count: 1, by_appeal: 0, automated: 0 },
    ]);
    expect(
      reports.map(({ median_seconds, ...rest }) => ({ ...rest, timed: median_seconds !== null })),
    ).to.deep.equal([
      { category: 'spam', filed: 3, decided: 2, with_measure: 1, timed: true },
      { category: 'legal', filed: 1, decided: 1, with_measure: 1, timed: true },
      { category: 'violation', filed: 1, decided: 1, with_measure: 1, timed: true },
      { category: 'other', filed: 1, decided: 1, with_measure: 1, timed: true },
    ]);
    expect(appeals).to.include({ filed: 2, pending: 0, approved: 1, rejected: 1, withdrawn: 0 });
    expect(appeals.median_seconds).to.be.a('number');
    const merged = { filed: 2, kept: 1, overturned: 1, median_seconds: appeals.median_seconds };
    expect(appeals.by_ground).to.deep.equal([{ ground: 'merged', ...merged }]);
    expect(appeals.by_group).to.deep.equal([{ group: 'merged', role: null, ...merged }]);
  });

  it('is the same when it is made of an export of the log', async () => {
    await town.waitUntilIdle();
    const file = join(folder, 'log.ndjson');
    const exported = await rookeryBeside(town.app, 'log', 'export', '--output', file);
    expect(exported.code, exported.stderr).to.equal(0);
    for (const by of ['month', 'quarter', 'year']) {
      const args = ['--by', by, '--until', month, '--format', 'json'];
      const [own, again] = [await rookery(...args), await rookery(...args, '--file', file)];
      expect(again).to.deep.equal(own);
      expect(JSON.parse(own.stdout)).to.deep.equal(await get(`by=${by}`));
    }
    const table = await rookery('--file', file);
    const headers = { Authorization: `Bearer ${boss.token}` };
    const answer = await fetch(`${town.url}${REPORT}/csv?until=${month}`, { headers });
    expect(answer.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
    expect(table).to.deep.equal({ code: 0, stderr: '', stdout: await answer.text() });
    expect(table.stdout).to.include(`${month},measures,account_limit,visibility,legal,hand,1,1,`);
  });

  it('has whole periods, the newest first, also those in which nothing happened', async () => {
    const names = async (query: string): Promise<string[]> =>
      (await get(query)).periods.map(({ period }) => period);
    expect(await names('from=2025-02&until=2025-04')).to.deep.equal(['2025-04', '2025-03', '2025-02']);
    expect(await names('by=quarter&from=2025-02&until=2025-04')).to.deep.equal(['2025-Q2', '2025-Q1']);
    expect(await names('by=year&from=2024-05&until=2025-04')).to.deep.equal(['2025', '2024']);
    expect(await names('')).to.have.length(12);
    expect(await names('by=quarter')).to.have.length(8);
    expect(await names('by=year')).to.have.length(5);
    expect(await names('from=2999-01')).to.deep.equal([]);
    const [empty] = (await get('from=2020-01&until=2020-01')).periods;
    expect(empty).to.deep.include({ measures: [], reversals: [], reports: [] });
    expect(empty?.totals.median_seconds).to.equal(null);
  });

  it('refuses wrong ranges, and people without the permission', async () => {
    for (const query of [
      'by=week',
      'from=2025',
      'until=2025-13',
      'from=2025-03&until=2025-02',
      'from=2010-01&until=2020-01',
    ])
      for (const path of [REPORT, `${REPORT}/csv`])
        expect((await boss.get(`${path}?${query}`)).status, `${path}?${query}`).to.equal(422);
    const ann = await town.person(`plain${randomUUID().slice(0, 4)}`);
    for (const path of [REPORT, `${REPORT}/csv`]) expect((await ann.get(path)).status).to.equal(403);
  });

  describe('as a page', () => {
    const open = async (query = ''): Promise<Answer> => {
      const browser = await signedIn(town.server, 'mod');
      return browser.open(`/admin/transparency${query}`);
    };
    const cellsOf = (page: Answer): string[] =>
      load(page.body as string)
        .all('td')
        .concat(load(page.body as string).all('th', { scope: 'row' }))
        .map(({ text }) => text.trim());

    it('shows the newest period with its tables, and its charts with tables', async () => {
      const page = await open();
      expect(page.status).to.equal(200);
      expect(cellsOf(page)).to.include.members([
        'Account limited',
        'Visibility of content (a)',
        'Report: Legal',
      ]);
      const seen = load(page.body as string);
      expect(seen.all('figure', { class: 'chart' })).to.have.length(4);
      expect(seen.all('a', { class: 'tag' })).to.have.length(12);
    });

    it('draws no time to a decision where nothing was decided', async () => {
      const hours = async (query?: string) => {
        const charts = ((await open(query)).body as string).split('<figure');
        return load(charts.find((chart) => chart.includes('Median hours to a decision')) ?? '');
      };
      expect((await hours()).all('rect')).to.have.length(1);
      const empty = await hours('?from=2020-01&until=2020-02');
      expect(empty.all('rect')).to.have.length(0);
      expect(empty.all('td').map(({ text }) => text.trim())).to.include.members(['–', '–']);
    });

    it('shows another period, and says when a range is wrong or in the future', async () => {
      const empty = await open('?by=year&show=2023');
      expect(empty.body).to.include('No sanctions were imposed.');
      const wrong = await open('?from=yesterday&by=quarter');
      expect(wrong.status).to.equal(422);
      expect(alertOf(wrong)).to.include('must be a month');
      expect(load(wrong.body as string).one('input', { name: 'from' })?.attributes['value']).to.equal(
        'yesterday',
      );
      expect((await open('?by=week')).status).to.equal(422);
      expect((await open('?from=2999-01')).body).to.include('These times are in the future');
    });

    it('gives the files of the API', async () => {
      const json = await open('?format=json&by=quarter');
      expect(json.headers.get('content-disposition')).to.match(
        /^attachment; filename="transparency-by-quarter-/,
      );
      expect(json.body).to.deep.equal(await get('by=quarter'));
      const table = await open('?format=csv');
      expect(table.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
      expect(table.body).to.equal((await rookery()).stdout);
    });

    it('is not there for people without a role, and costs at most six statements', async () => {
      const plain = await town.person('plain');
      const browser = await signedIn(town.server, plain.username);
      for (const query of ['', '?format=csv'])
        expect((await browser.open(`/admin/transparency${query}`)).status).to.equal(404);
      const staff = await signedIn(town.server, 'mod');
      for (const by of ['month', 'year']) {
        const names = await statementsOfPage(town.app.db, () => staff.open(`/admin/transparency?by=${by}`));
        expect(names.length, names.join()).to.be.at.most(6);
      }
    });
  });

  it('refuses files that are no export of a whole log', async () => {
    const file = join(folder, 'other.ndjson');
    for (const [content, why] of [
      ['', 'is empty'],
      ['hello\n', 'Line 1 is no event'],
      ['{"position":"1"}\n', 'Line 1 is no event'],
      ['{"rookery_log_export":1}\n', 'The heading of the export is damaged'],
    ] as const) {
      await writeFile(file, content);
      const { code, stdout, stderr } = await rookery('--file', file);
      expect({ code, stdout }, content).to.deep.equal({ code: 64, stdout: '' });
      expect(stderr).to.include(why);
    }
    const part = join(folder, 'part.ndjson');
    await rookeryBeside(town.app, 'log', 'export', '--from', '5', '--output', part);
    expect((await rookery('--file', part)).stderr).to.include('does not begin with the first event');
    expect((await rookery('--from', 'May')).stderr).to.include('from must be a month such as 2026-11');
  });
});

import { expect } from 'chai';
import type { AdminReport, Report } from '#mastodon/schemas/index.ts';
import { type Result, rookeryBeside } from '../support/command-line.ts';
import type { Person, Town } from '../support/people.ts';
import { startReporting } from './support.ts';

describe('rookery reports, beside a running server', function () {
  this.timeout(90_000);
  let town: Town;
  let alice: Person;
  let bob: Person;
  let mod: Person;
  let first: string;
  let second: string;

  before(async function () {
    this.timeout(120_000);
    ({ town, alice, bob, mod } = await startReporting());
  });
  after(() => town.close());

  const rookery = (...args: string[]): Promise<Result> => rookeryBeside(town.app, 'reports', ...args);
  const file = async (body: object): Promise<string> => {
    const { status, json } = await alice.post<Report>('/api/v1/reports', { account_id: bob.id, ...body });
    expect(status, JSON.stringify(json)).equal(200);
    return json.id;
  };
  const report = async (id: string): Promise<AdminReport> =>
    (await mod.get<AdminReport>(`/api/v1/admin/reports/${id}`)).json;
  const listed = async (...args: string[]): Promise<string[][]> => {
    const { stdout } = await rookery('list', ...args);
    return stdout
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ {2,}/));
  };

  it('lists open reports, newest first, in lines that no text can break', async () => {
    expect(await rookery('list')).include({ code: 0, stdout: '', stderr: '' });
    first = await file({ comment: 'Sells\n\u001b[31meggs', category: 'spam' });
    second = await file({ comment: 'x'.repeat(80) });
    const { stdout } = await rookery('list');
    expect(stdout.split('\n')[0]?.split(/ {2,}/)).deep.equal([
      ...['ID', 'STATE', 'CATEGORY', 'ACCOUNT', 'REPORTER', 'HANDLED BY', 'FILED', 'COMMENT'],
    ]);
    expect((await listed()).map((row) => row.toSpliced(6, 1))).deep.equal([
      [second, 'open', 'other', '@bob', '@alice', '-', `${'x'.repeat(59)}…`],
      [first, 'open', 'spam', '@bob', '@alice', '-', 'Sells [31meggs'],
    ]);
  });

  it('shows a report with the reported versions of posts, and with the notes of staff', async () => {
    const post = (await bob.post<{ id: string }>('/api/v1/statuses', { status: 'Fresh\neggs' })).json;
    const id = await file({ comment: 'These eggs', status_ids: [post.id] });
    await bob.delete(`/api/v1/statuses/${post.id}`);
    await mod.post(`/api/v1/admin/reports/${id}/notes`, { content: 'Known to us' });
    await mod.post(`/api/v1/admin/reports/${id}/assign_to_self`);
    const { code, stdout, stderr } = await rookery('show', id);
    expect(code, stderr).equal(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split(/ {2,}/)).filter(([name]) => name !== 'FILED')).deep.equal([
      ['ID', id],
      ['STATE', 'open'],
      ['CATEGORY', 'other'],
      ['ACCOUNT', '@bob https://rookery.example/@bob'],
      ['REPORTER', '@alice'],
      ['HANDLED BY', '@mod'],
      ['COMMENT', 'These eggs'],
      ['POST', `${post.id} https://rookery.example/@bob/${post.id} Fresh eggs`],
      ['NOTE', '@mod: Known to us'],
    ]);
    await rookery('resolve', id);
  });

  it('resolves, reopens, assigns and unassigns', async () => {
    expect(await rookery('resolve', first)).include({ code: 0, stdout: 'OK\n' });
    expect(await report(first)).include({ action_taken: true, action_taken_by_account: null });
    expect((await listed()).map(([id]) => id)).deep.equal([second]);
    expect((await listed('--state', 'resolved')).map(([id]) => id)).contain(first);
    expect((await listed('--state', 'all')).map(([id]) => id)).include.members([first, second]);
    expect(await rookery('reopen', first)).include({ code: 0, stdout: 'OK\n' });
    expect((await report(first)).action_taken).equal(false);
    expect(await rookery('assign', second, '@mod')).include({ code: 0, stdout: 'OK\n' });
    expect((await report(second)).assigned_account?.username).equal('mod');
    expect((await listed())[0]?.[5]).equal('@mod');
    expect(await rookery('unassign', second)).include({ code: 0, stdout: 'OK\n' });
    expect((await report(second)).assigned_account).equal(null);
  });

  it('reports an error in one line, and changes nothing', async () => {
    const before = await town.app.log.head();
    const nothing = '100000000000000000';
    for (const [args, message] of [
      [['show', nothing], /^Record not found\n$/],
      [['resolve', nothing], /^Record not found\n$/],
      [['assign', nothing, 'mod'], /^Record not found\n$/],
      [['assign', first, 'nobody'], /^There is no local account @nobody\n$/],
      [['assign', first, 'alice'], /^@alice may not manage reports\n$/],
    ] as const) {
      const { code, stdout, stderr } = await rookery(...args);
      expect([code, stdout], stderr).deep.equal([stderr.includes('may not manage') ? 64 : 1, '']);
      expect(stderr).match(message);
    }
    expect(await town.app.log.head()).equal(before);
  });
});

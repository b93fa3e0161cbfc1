import { expect } from 'chai';
import type { Db } from '#kernel/read.ts';
import { csvLine } from '#mastodon/csv.ts';
import type { AuditEntry } from '#mastodon/schemas/index.ts';
import { auditEntries, parseAuditFilter } from '#queries/admin/audit/index.ts';
import { type Result, rookeryBeside } from '../support/command-line.ts';
import { describeTown, type Person } from '../support/people.ts';

describeTown('The command rookery audit export beside a running server', function (town) {
  this.timeout(60_000);
  let mod: Person;
  let bob: Person;
  before(async function () {
    this.timeout(120_000);
    mod = await town.staff('mod', 'Moderator');
    bob = await town.person('bob');
    const path = `/api/v1/admin/accounts/${bob.id}`;
    await mod.post(`${path}/action`, { type: 'silence', text: '=cmd|\'/C calc\'!A0, "now"\nor later' });
    await mod.post(`${path}/unsilence`);
    await town.waitUntilIdle();
  });

  const rookery = (...args: string[]): Promise<Result> => rookeryBeside(town.app, 'audit', 'export', ...args);
  const listed = async (): Promise<AuditEntry[]> => {
    await town.waitUntilIdle();
    const { json } = await mod.get<AuditEntry[]>('/api/v1/admin/audit?limit=200');
    // Reading the list makes entries itself.
    return json.filter(({ action }) => action !== 'audit_log.viewed');
  };

  it('writes the entries of the API as lines of JSON, oldest first, and its own entry last', async () => {
    const { code, stdout, stderr } = await rookery();
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as AuditEntry);
    expect(entries).to.deep.equal((await listed()).toReversed());
    const last = entries.at(-1);
    expect(last).to.deep.include({ action: 'audit_log.exported' });
    expect(last?.actor.kind).to.equal('operator');
    const more = await rookery('--after', last?.id ?? '', '--action', 'audit_log.exported');
    const [next, ...others] = more.stdout.trimEnd().split('\n');
    expect(others).to.deep.equal([]);
    expect((JSON.parse(next ?? '') as AuditEntry).changes).to.deep.include({
      field: 'action',
      before: null,
      after: 'audit_log.exported',
      shown: 'whole',
    });
  });

  it('writes CSV in which no cell is a formula', async () => {
    const args = ['--format', 'csv', '--target', 'bob', '--actor', '@mod', '--role', 'Moderator'];
    const { stdout } = await rookery(...args, '--from', '2020-01-01', '--until', '2999-01-01');
    const [header, silenced, lifted, ...others] = stdout.split('\r\n');
    expect(others).to.deep.equal(['']);
    expect(header).to.match(/^id,created_at,action,actor_kind,actor_id,actor,actor_role,/);
    expect(silenced).to.include(`,account.silenced,user,${mod.id},mod,Moderator,`);
    expect(silenced).to.include('"\'=cmd|\'/C calc\'!A0, ""now""\nor later"');
    expect(lifted).to.include(',account.unsilenced,').and.to.include(`,account,${bob.id},bob,`);
  });

  it('reports a mistake in one line and records nothing', async () => {
    const before = await town.events();
    const wrong: [string[], RegExp][] = [
      [['--from', 'yesterday'], /^from must be a time/],
      [['--target', 'nobody'], /^There is no account nobody/],
      [['--action', 'nothing'], /Allowed choices are/],
      [['--role', 'Nobody'], /Allowed choices are Owner, Admin, Moderator/],
      [['--from', '2026-12-01', '--until', '2026-01-01'], /^until is before from$/],
      [['--after', 'x'], /must be a number/],
    ];
    await Promise.all(
      wrong.map(async ([args, message]) => {
        const { code, stdout, stderr } = await rookery(...args);
        expect([code, stdout], args.join(' ')).to.deep.equal([args[1] === 'nobody' ? 1 : 64, '']);
        expect(stderr.trimEnd()).to.match(message).and.not.to.contain('\n');
      }),
    );
    expect(await town.events()).to.equal(before);
  });

  it('reads 500 entries at a time, however many there are', async () => {
    const sizes: unknown[] = [];
    const asked: unknown[] = [];
    const row = (await listed())[0];
    const db: Db = {
      query: <Row>(_: unknown, values: readonly unknown[] = []) => {
        const [, , after, limit] = values as [unknown, unknown, string, number];
        asked.push(after);
        sizes.push(limit);
        const left = Math.min(1_250 - Number(after), limit);
        const rows = Array.from({ length: left }, (_each, index) => ({
          ...row,
          position: String(Number(after) + index + 1),
          changes: '[]',
          status_ids: [],
          actor_id: null,
          application_id: null,
          account_id: null,
          report_id: null,
          strike_id: null,
        }));
        return Promise.resolve(rows as Row[]);
      },
    };
    const seen: string[] = [];
    for await (const { id } of auditEntries(db, parseAuditFilter({}), '0')) seen.push(id);
    expect(seen).to.deep.equal(Array.from({ length: 1_250 }, (_, index) => String(index + 1)));
    expect(asked).to.deep.equal(['0', '500', '1000']);
    expect(sizes).to.deep.equal([500, 500, 500]);
  });

  it('quotes and escapes special characters in CSV', () => {
    expect(csvLine(['a', 'b,c', 'd"e', 'f\ng', '', '-1', '@x', ' =1'])).to.equal(
      'a,"b,c","d""e","f\ng",,\'-1,\'@x, =1\r\n',
    );
  });
});

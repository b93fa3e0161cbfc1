import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { AuditEntry, CaseFile } from '#mastodon/schemas/index.ts';
import { inMain, signedIn } from '../account-pages/support.ts';
import type { Browser } from '../oauth/client.ts';
import { describeTown, ok, type Person } from '../support/people.ts';

const run = promisify(execFile);
const AUDIT = '/api/v1/admin/audit';

describeTown('The case of a decision', (town) => {
  let boss: Person;
  let roy: Person;
  let auditor: Browser;
  let entry: AuditEntry;
  before(async function () {
    this.timeout(180_000);
    boss = await town.staff('boss', 'Owner');
    roy = await town.person('roy');
    const alice = await town.person('alice');
    const rule = await ok(boss.post<{ id: string }>('/api/v1/admin/rules', { text: 'Sell no eggs' }));
    const post = await ok(roy.post<{ id: string }>('/api/v1/statuses', { status: 'Fresh eggs for sale' }));
    await ok(
      alice.post('/api/v1/reports', {
        account_id: roy.id,
        status_ids: [post.id],
        comment: 'They sell eggs',
        category: 'violation',
        rule_ids: [rule.id],
      }),
    );
    await town.waitUntilIdle();
    const [report] = await ok(boss.get<{ id: string }[]>('/api/v1/admin/reports'));
    await ok(
      boss.post(`/api/v1/admin/accounts/${roy.id}/action`, {
        type: 'silence',
        text: 'No eggs here',
        report_id: report?.id,
      }),
    );
    await town.waitUntilIdle();
    await town.app.transparencyLog.record();
    const entries = await ok(boss.get<AuditEntry[]>(`${AUDIT}?action[]=account.silenced`));
    entry = entries[0]!;
    auditor = await signedIn(town.server, 'boss');
  });

  const caseOf = (): Promise<CaseFile> => ok(boss.get<CaseFile>(`${AUDIT}/${entry.id}/case`));
  const typesOf = ({ events }: CaseFile): string[] => events.map(({ type }) => type);

  it('has the decision, its report, rules and posts, and a proof of each event', async () => {
    const found = await caseOf();
    expect(typesOf(found)).to.include.members(['ReportFiled', 'AccountWarned', 'AccountSilenced']);
    expect(found.events.every(({ proof }) => proof?.startsWith('c2sp.org/tlog-proof@v1\nindex '))).to.equal(
      true,
    );
    expect(found.rules.map(({ text }) => text)).to.deep.equal(['Sell no eggs']);
    expect(found.evidence.map(({ text }) => text)).to.deep.equal(['Fresh eggs for sale']);
    const said = JSON.stringify(found.events.map(({ data }) => data));
    expect(said).to.include('No eggs here').and.to.include('They sell eggs');
    expect(found.left_out).to.deep.equal([]);
  });

  it('is an archive in the console that its own programs verify, and a page', async () => {
    const cookie = auditor.cookieHeader;
    const path = `/admin/audit/${entry.id}/case`;
    const answer = await fetch(new URL(`${path}?download=zip`, town.url), { headers: { cookie } });
    expect(answer.headers.get('content-disposition')).to.include(`case-${entry.id}.zip`);
    const folder = await mkdtemp(join(tmpdir(), 'rookery-case-'));
    try {
      const zip = join(folder, 'case.zip');
      await writeFile(zip, Buffer.from(await answer.arrayBuffer()));
      await run('python3', ['-m', 'zipfile', '-e', zip, folder]);
      const { key } = await caseOf();
      for (const [program, script] of [
        ['python3', 'verify.py'],
        [process.execPath, 'verify.mjs'],
      ] as const) {
        const { stdout } = await run(program, [join(folder, script), key], { cwd: folder, env: {} });
        expect(stdout).to.include('All events are proven.');
      }
    } finally {
      await rm(folder, { recursive: true });
    }
    const page = await auditor.open(path);
    const words = inMain(page, 'section')
      .map(({ text }) => text)
      .join(' ');
    for (const each of ['No eggs here', 'They sell eggs', 'Sell no eggs', 'Fresh eggs for sale']) {
      expect(words).to.include(each);
    }
  });

  it('is recorded when staff read it, and is refused for others', async () => {
    await caseOf();
    await town.waitUntilIdle();
    const events = await town.app.log.readAll(0n, 10_000);
    const views = events.filter(({ type }) => type === 'AuditViewed').map(({ data }) => JSON.stringify(data));
    expect(views.some((data) => data.includes(entry.id))).to.equal(true);
    expect((await roy.get(`${AUDIT}/${entry.id}/case`)).status).to.equal(403);
    expect((await boss.get(`${AUDIT}/1/case`)).status).to.equal(404);
  });

  it('leaves out the words of an erased person, and says so', async () => {
    await ok(boss.post(`/api/v1/admin/accounts/${roy.id}/action`, { type: 'suspend' }));
    await ok(boss.delete(`/api/v1/admin/accounts/${roy.id}`));
    await town.waitUntilIdle();
    const found = await caseOf();
    const said = JSON.stringify({ ...found, files: found.files.filter(({ name }) => name !== 'README.txt') });
    expect(said).to.not.include('No eggs here');
    expect(said).to.not.include('Fresh eggs for sale');
    expect(found.left_out.join(' ')).to.match(/text of event \d+: the account was erased/);
    expect(found.events.every(({ proof }) => proof !== null)).to.equal(true);
  });
});

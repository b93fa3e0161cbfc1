import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { appealStrike } from '#commands/strikes/index.ts';
import type { AdminAppeal, TransparencyReport } from '#mastodon/schemas/index.ts';
import { signedIn } from '../account-pages/support.ts';
import { load } from '../pages/parse.ts';
import { rookeryBeside } from '../support/command-line.ts';
import { describeTown, ok, type Person } from '../support/people.ts';

const REPORT = '/api/v1/admin/transparency';
const PLACES = [0, 1, 2, 3, 4] as const;

describeTown('The appeals in the transparency report of a large team', function (town) {
  this.timeout(120_000);
  let boss: Person;
  const month = new Date().toISOString().slice(0, 7);

  const appeal = async (person: Person): Promise<void> => {
    const [strike] = await town.app.db.query<{ id: string }>(
      'select id from account_warnings where account_id = $1',
      [person.id],
    );
    const asked = { accountId: person.id, strikeId: strike?.id ?? '', text: 'I did nothing' };
    await appealStrike(town.app.systemContext('spec'), asked);
  };

  before(async function () {
    this.timeout(240_000);
    boss = await town.staff('boss', 'Owner');
    const struck: Person[] = [];
    for (const place of PLACES) {
      const [mod, admin, ann, ben] = await Promise.all([
        town.staff(`mod${place}`, 'Moderator'),
        town.staff(`admin${place}`, 'Admin'),
        town.person(`ann${place}`),
        town.person(`ben${place}`),
      ]);
      const asked = { account_id: ann.id, category: 'spam' };
      const { id: report_id } = await ok(boss.post<{ id: string }>('/api/v1/reports', asked));
      await ok(mod.post(`/api/v1/admin/accounts/${ann.id}/action`, { type: 'silence', report_id }));
      await ok(
        admin.post(`/api/v1/admin/accounts/${ben.id}/action`, { type: 'none', text: 'Mind the rules' }),
      );
      struck.push(ann, ben);
    }
    await town.waitUntilIdle();
    for (const person of struck) await appeal(person);
    await town.waitUntilIdle();
    for (const { id, account } of await ok(boss.get<AdminAppeal[]>('/api/v1/admin/appeals'))) {
      const answer = account.username.startsWith('ann') ? 'approve' : 'reject';
      await ok(boss.post(`/api/v1/admin/appeals/${id}/${answer}`));
    }
    await town.waitUntilIdle();
  });

  it('are counted by the ground and the role behind the appealed decision, not by who answered', async () => {
    const { periods } = await ok(boss.get<TransparencyReport>(REPORT));
    const { by_ground = [], by_group = [] } = periods[0]?.appeals ?? {};
    const untimed = ({ median_seconds, ...line }: (typeof by_group | typeof by_ground)[number]) => {
      expect(median_seconds).to.be.a('number');
      return line;
    };
    expect(by_ground.map(untimed)).to.deep.equal([
      { ground: 'spam', filed: 5, kept: 0, overturned: 5 },
      { ground: 'own_initiative', filed: 5, kept: 5, overturned: 0 },
    ]);
    expect(by_group.map(untimed)).to.deep.equal([
      { group: 'role', role: 'Admin', filed: 5, kept: 5, overturned: 0 },
      { group: 'role', role: 'Moderator', filed: 5, kept: 0, overturned: 5 },
    ]);
  });

  it('are the same in a table that is made of an export of the log', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rookery-report-'));
    const file = join(folder, 'log.ndjson');
    await rookeryBeside(town.app, 'log', 'export', '--output', file);
    const own = await rookeryBeside(town.app, 'audit', 'report', '--until', month);
    const again = await rookeryBeside(town.app, 'audit', 'report', '--until', month, '--file', file);
    await rm(folder, { recursive: true, force: true });
    expect(again).to.deep.equal(own);
    const lines = own.stdout.split(/\r?\n/);
    expect(lines.filter((line) => line.startsWith(`${month},appeals_by_`))).to.have.length(4);
    expect(own.stdout).to.match(/appeals_by_group,role,.*,5,.*,Moderator,0,5$/m);
  });

  it('are shown in the console without names', async () => {
    const page = await (await signedIn(town.server, 'boss')).open('/admin/transparency');
    const seen = load(page.body as string);
    const cells = [...seen.all('td'), ...seen.all('th', { scope: 'row' })].map(({ text }) => text.trim());
    expect(cells).to.include.members(['Moderator', 'Admin', 'Report: Spam']);
    expect(cells.join('\n')).not.to.match(/mod\d|admin\d|ann\d|ben\d/);
  });
});

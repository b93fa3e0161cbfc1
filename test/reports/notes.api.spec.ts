import { expect } from 'chai';
import type { AdminReport, Report, ReportNote } from '#mastodon/schemas/index.ts';
import { type Answer, describeTown, type Person } from '../support/people.ts';

const ABSENT = '100000000000000000';

describeTown('The notes of staff about a report', (town) => {
  let alice: Person;
  let mod: Person;
  let boss: Person;
  let id: string;
  before(async function () {
    this.timeout(120_000);
    [alice, mod, boss] = [
      await town.person('alice'),
      await town.staff('mod', 'Moderator'),
      await town.staff('boss', 'Owner'),
    ];
    const { json } = await alice.post<Report>('/api/v1/reports', { account_id: boss.id });
    id = json.id;
    await town.waitUntilIdle();
  });

  const note = (content: unknown, report = id): Promise<Answer<ReportNote>> =>
    mod.post(`/api/v1/admin/reports/${report}/notes`, { content });
  const list = (query = ''): Promise<Answer<ReportNote[]>> =>
    boss.get(`/api/v1/admin/reports/${id}/notes?${query}`);

  it('are visible to all staff, newest first, page by page', async () => {
    const texts = ['One', 'Two <b>', 'Three'];
    const made = [];
    for (const text of texts) made.push((await note(text)).json);
    await town.waitUntilIdle();
    expect(made[0]).to.include({ content: 'One' });
    expect(made[0]?.account.id).to.equal(mod.id);
    const first = await list('limit=2');
    expect(first.json).to.deep.equal([made[2], made[1]]);
    expect((await list(first.links['next'])).json).to.deep.equal([made[0]]);
    const { json: report } = await boss.get<AdminReport>(`/api/v1/admin/reports/${id}`);
    expect(report.updated_at).to.equal(made[2]?.created_at);
  });

  it('must not be blank or too long', async () => {
    const before = await town.events();
    for (const wrong of ['', '  ', null, 'x'.repeat(2_001), {}])
      expect((await note(wrong)).status).to.equal(422);
    for (const none of [ABSENT, 'x']) {
      expect((await note('Hm', none)).status).to.equal(404);
      expect((await boss.get(`/api/v1/admin/reports/${none}/notes`)).status).to.equal(404);
    }
    expect(await town.events()).to.equal(before);
  });

  it('are visible to staff only', async () => {
    const everything = await alice.withScopes('admin:read', 'admin:write', 'read', 'write');
    const path = `/api/v1/admin/reports/${id}/notes`;
    expect((await everything.get(path)).status).to.equal(403);
    expect((await everything.post(path, { content: 'Hm' })).status).to.equal(403);
    expect(
      (await (await mod.withScopes('admin:read:reports')).post(path, { content: 'Hm' })).status,
    ).to.equal(403);
    expect((await (await mod.withScopes('admin:write:reports')).get(path)).status).to.equal(403);
    expect((await town.nobody.get(path)).status).to.equal(403);
  });
});

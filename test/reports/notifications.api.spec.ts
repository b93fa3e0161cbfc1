import { expect } from 'chai';
import { account } from '#commands/accounts/index.ts';
import { type AccountEvent, accountStream, userRole } from '#events/accounts.ts';
import { mayDo } from '#mastodon/permissions.ts';
import type { GroupedNotifications, Notification, Report } from '#mastodon/schemas/index.ts';
import { type Client, describeTown, type Person } from '../support/people.ts';

describeTown('Notifications of reports', (town) => {
  let alice: Person;
  let bob: Person;
  let mod: Person;
  let boss: Person;
  before(async function () {
    this.timeout(120_000);
    mod = await town.staff('mod', 'Moderator');
    boss = await town.staff('boss', 'Owner');
    alice = await town.person('alice');
    bob = await town.person('bob');
  });

  const file = async (who: Client, body: object = {}): Promise<Report> => {
    const { status, json } = await who.post<Report>('/api/v1/reports', { account_id: bob.id, ...body });
    expect(status, JSON.stringify(json)).to.equal(200);
    await town.waitUntilIdle();
    return json;
  };
  const told = async (who: Client, query = ''): Promise<Notification[]> =>
    (await who.get<Notification[]>(`/api/v1/notifications?types[]=admin.report&${query}`)).json;
  const ids = async (who: Client, query?: string): Promise<string[]> =>
    (await told(who, query)).map(({ id }) => id);

  it('go to all staff who may manage reports, with the report', async () => {
    const report = await file(alice, { comment: 'Look', category: 'spam' });
    for (const staff of [mod, boss]) {
      const [newest] = await told(staff);
      expect(newest).to.deep.include({ type: 'admin.report', group_key: `ungrouped-${report.id}`, report });
      expect(newest?.account.id).to.equal(alice.id);
      expect(newest).not.to.have.property('status');
      const { json: one } = await staff.get<Notification>(`/api/v1/notifications/${report.id}`);
      expect(one).to.deep.equal(newest);
    }
    for (const other of [alice, bob]) expect(await told(other)).to.deep.equal([]);
    // Recipients are exactly the roles that may manage reports.
    expect(userRole.options.filter((role) => !mayDo(role, 'manage_reports'))).to.deep.equal([]);
  });

  it('contain it in groups too, and whether it is resolved, but not by whom', async () => {
    const report = await file(alice);
    expect((await mod.post(`/api/v1/admin/reports/${report.id}/resolve`)).status).to.equal(200);
    await town.waitUntilIdle();
    const { json } = await boss.get<GroupedNotifications>(
      '/api/v2/notifications?types[]=admin.report&limit=1',
    );
    expect(json.notification_groups).to.have.length(1);
    const [group] = json.notification_groups;
    expect(group).to.deep.include({ type: 'admin.report', most_recent_notification_id: Number(report.id) });
    expect(group?.report).to.include({ id: report.id, action_taken: true });
    expect(JSON.stringify(group)).not.to.include(mod.id);
    expect(json.accounts.map(({ id }) => id)).to.deep.equal([alice.id]);
    const { json: single } = await boss.get<GroupedNotifications>(
      `/api/v2/notifications/ungrouped-${report.id}`,
    );
    expect(single.notification_groups[0]?.report?.id).to.equal(report.id);
  });

  it('do not go to the staff member who filed it', async () => {
    const report = await file(mod);
    expect(await ids(boss)).to.include(report.id);
    expect(await ids(mod)).not.to.include(report.id);
  });

  it('go to the staff of that time, and are hidden from former staff', async () => {
    const carol = await town.person('carol');
    const before = await file(alice);
    const setRole = async (role: 'Moderator' | null): Promise<void> => {
      const ctx = town.app.systemContext('spec');
      const changed: AccountEvent = { type: 'UserRoleChanged', data: { account_id: carol.id, role } };
      await ctx.execute(accountStream(carol.id), account, () => [changed]);
      await town.waitUntilIdle();
    };
    await setRole('Moderator');
    const then = await file(alice);
    expect(await ids(carol)).to.deep.equal([then.id]);
    await setRole(null);
    await file(alice);
    expect(await ids(carol)).to.deep.equal([]);
    expect((await carol.get(`/api/v1/notifications/${then.id}`)).status).to.equal(404);
    await setRole('Moderator');
    expect(await ids(carol))
      .to.deep.equal([then.id])
      .and.not.include(before.id);
  });

  it('follow the policy of the recipient', async () => {
    const picky = await town.staff('picky', 'Admin');
    const setPolicy = async (for_not_following: string): Promise<void> => {
      expect((await picky.patch('/api/v2/notifications/policy', { for_not_following })).status).to.equal(200);
      await town.waitUntilIdle();
    };
    await setPolicy('filter');
    const filtered = await file(alice);
    expect(await ids(picky)).to.deep.equal([]);
    expect(await ids(picky, 'include_filtered=true')).to.deep.equal([filtered.id]);
    await setPolicy('drop');
    await file(alice);
    expect(await ids(picky, 'include_filtered=true')).to.deep.equal([filtered.id]);
  });
});

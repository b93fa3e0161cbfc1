import { expect } from 'chai';
import { takeAction } from '#commands/accounts/index.ts';
import { moderateStatuses, type StatusSanction } from '#commands/admin/statuses/index.ts';
import { resolveOnce, takeActionOnce } from '#commands/strikes/index.ts';
import type { AdminReport, AuditEntry, Status, Strike } from '#mastodon/schemas/index.ts';
import { reportingIn, startReporting } from '../reports/support.ts';
import { endingAt, hurryJobs } from '../support/broken-off.ts';
import { failureOf } from '../support/failure.ts';
import type { Person, Town } from '../support/people.ts';

describe('A sanction whose process dies midway', function () {
  this.timeout(60_000);
  let town: Town;
  let alice: Person;
  let bob: Person;
  let mod: Person;
  let owner: Person;
  before(async function () {
    this.timeout(120_000);
    ({ town, alice, bob, mod, owner } = await startReporting());
  });
  after(() => town.close());

  const { ok, post, report } = reportingIn(() => ({ town, alice, bob }));
  const breakOff = async (
    append: number,
    {
      statuses,
      ...given
    }: Pick<StatusSanction, 'action' | 'reportId' | 'ifUnresolved'> & { statuses: Status[] },
  ): Promise<void> => {
    const ctx = town.app.systemContext('spec');
    const statusIds = statuses.map(({ id }) => id);
    const sanction = { ...given, statusIds, text: 'No eggs', notify: true };
    const staff = { account_id: mod.id, role: 'Moderator' };
    expect(await failureOf(moderateStatuses(endingAt(ctx, append), bob.id, sanction, staff))).equal('killed');
    await town.waitUntilIdle();
  };
  const finish = (): Promise<number> => hurryJobs(town, 'finish-sanction');
  const seen = async ({ id }: Status): Promise<number> => (await alice.get(`/api/v1/statuses/${id}`)).status;
  const strikes = (): Promise<Strike[]> => ok(bob.get<Strike[]>('/api/v1/strikes'));
  const isSensitive = async ({ id }: Status): Promise<boolean> =>
    (await ok(alice.get<Status>(`/api/v1/statuses/${id}`))).sensitive;

  it('has its strike from the first append on, and is finished by a job', async () => {
    for (const [append, ifUnresolved] of [
      [1, false],
      [1, true],
      [2, false],
      [3, true],
    ] as const) {
      const statuses = [await post(bob, { status: 'one' }), await post(bob, { status: 'two' })];
      const { id } = await report(...statuses);
      const before = (await strikes()).length;
      await breakOff(append, { action: 'delete', statuses, reportId: id, ifUnresolved });
      const [strike, ...others] = await strikes();
      expect(others.length, `append ${append}`).equal(before);
      expect(strike).deep.include({ action: 'delete_statuses', text: 'No eggs' });
      expect(strike?.status_ids).have.members(statuses.map((each) => each.id));
      await finish();
      for (const status of statuses) expect(await seen(status), `append ${append}`).equal(404);
      expect((await ok(mod.get<AdminReport>(`/api/v1/admin/reports/${id}`))).action_taken).equal(true);
      expect((await strikes()).length).equal(before + 1);
    }
  });

  it('changes nothing when the process dies before the first append', async () => {
    const status = await post(bob, { status: 'one' });
    const before = (await strikes()).length;
    await breakOff(0, { action: 'delete', statuses: [status], reportId: null });
    expect(await seen(status)).equal(200);
    expect((await strikes()).length).equal(before);
  });

  it('marks each post once, except posts whose mark staff removed meanwhile', async () => {
    const statuses = [await post(bob, { status: 'one' }), await post(bob, { status: 'two' })];
    await breakOff(2, { action: 'mark_as_sensitive', statuses, reportId: null });
    const [first, second] = statuses as [Status, Status];
    expect(await Promise.all(statuses.map(isSensitive))).deep.equal([true, false]);
    await ok(mod.post(`/api/v1/admin/statuses/${first.id}/unmark_as_sensitive`));
    await finish();
    expect(await isSensitive(first)).equal(false);
    expect(await isSensitive(second)).equal(true);
  });

  it('leaves a report open that staff reopened meanwhile', async () => {
    const status = await post(bob, { status: 'one' });
    const { id } = await report(status);
    await ok(mod.post(`/api/v1/admin/reports/${id}/action`, { type: 'delete' }));
    await ok(mod.post(`/api/v1/admin/reports/${id}/reopen`));
    await finish();
    expect((await ok(mod.get<AdminReport>(`/api/v1/admin/reports/${id}`))).action_taken).equal(false);
  });

  it('resolves the earlier reports that an action against the account left open', async () => {
    const filed = [await report(), await report(), await report()];
    const [first, , reopened] = filed;
    await ok(mod.post(`/api/v1/admin/reports/${reopened?.id}/resolve`));
    await ok(mod.post(`/api/v1/admin/reports/${reopened?.id}/reopen`));
    const ctx = town.app.systemContext('spec');
    const strike = { id: ctx.newId(), action: 'sensitive', text: '', reportId: first?.id ?? null } as const;
    await takeAction(ctx, bob.id, { ...strike, statusIds: [], notify: false }, { role: 'Moderator' });
    const later = await report();
    await finish();
    const handled = await Promise.all(
      [...filed, later].map(({ id }) => ok(mod.get<AdminReport>(`/api/v1/admin/reports/${id}`))),
    );
    expect(handled.map((each) => each.action_taken)).deep.equal([true, true, false, false]);
  });

  it('decides about a report once, also before the report is resolved', async () => {
    const { id: reportId } = await report();
    const staff = { account_id: mod.id, role: 'Moderator' };
    const limit = async (): Promise<unknown> => {
      const ctx = town.app.systemContext('spec');
      const strike = { id: ctx.newId(), action: 'silence', text: '', reportId } as const;
      const sanction = { ...strike, statusIds: [], notify: false };
      return failureOf(takeActionOnce(ctx, bob.id, sanction, staff));
    };
    const resolve = (): Promise<unknown> =>
      failureOf(resolveOnce(town.app.systemContext('spec'), reportId, staff));
    const before = (await strikes()).length;
    expect(await limit()).equal('no failure');
    expect(await limit()).equal('conflict');
    expect(await resolve()).equal('conflict');
    const isResolved = async (): Promise<boolean> =>
      (await ok(mod.get<AdminReport>(`/api/v1/admin/reports/${reportId}`))).action_taken;
    expect(await isResolved()).equal(false);
    await finish();
    expect(await isResolved()).equal(true);
    expect((await strikes()).length).equal(before + 1);

    await ok(mod.post(`/api/v1/admin/reports/${reportId}/reopen`));
    expect(await limit()).equal('no failure');
    expect(await limit()).equal('conflict');
    await ok(mod.post(`/api/v1/admin/accounts/${bob.id}/unsilence`));
  });

  it('has one entry in the audit log, in the name of the moderator', async () => {
    const statuses = [await post(bob, { status: 'one' }), await post(bob, { status: 'two' })];
    const path = `/api/v1/admin/accounts/${bob.id}/statuses/action`;
    await ok(mod.post(path, { type: 'delete', status_ids: statuses.map(({ id }) => id), text: 'No eggs' }));
    await finish();
    for (const { id } of statuses) {
      const lines = await ok(owner.get<AuditEntry[]>(`/api/v1/admin/audit?status=${id}`));
      expect(lines.map(({ action, actor, text }) => [action, actor.account?.acct, text])).deep.equal([
        ['status.deleted', 'mod', 'No eggs'],
      ]);
      const named = lines[0]?.targets.filter(({ type }) => type === 'status').map((each) => each.id);
      expect(named).have.members(statuses.map((each) => each.id));
      expect(named).have.length(2);
    }
  });
});

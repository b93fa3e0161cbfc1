import { expect } from 'chai';
import { takeAction } from '#commands/accounts/index.ts';
import { appealStrike } from '#commands/strikes/index.ts';
import { FOUR_EYES } from '#commands/strikes/judge.ts';
import type { AdminAppeal, AuditEntry, Report, Status, Strike } from '#mastodon/schemas/index.ts';
import { moderationBy } from '../admin-accounts/support.ts';
import { type Client, describeTown, ok, type Person } from '../support/people.ts';

const APPEALS = '/api/v1/admin/appeals';
const NOT_ALLOWED = { error: 'This action is not allowed' };

describeTown('Appeals as staff see them', function (town) {
  this.timeout(60_000);
  let mod: Person;
  let admin: Person;
  let second: Person;
  let owner: Person;
  let people = 0;
  before(async function () {
    this.timeout(120_000);
    mod = await town.staff('mod', 'Moderator');
    admin = await town.staff('admin', 'Admin');
    second = await town.staff('second', 'Admin');
    owner = await town.staff('owner', 'Owner');
  });

  const list = (who: Client, query = ''): Promise<AdminAppeal[]> =>
    ok(who.get<AdminAppeal[]>(`${APPEALS}${query}`));
  const judge = (who: Client, id: string, verdict: string, note?: unknown) =>
    who.post<AdminAppeal>(`${APPEALS}/${id}/${verdict}`, note === undefined ? {} : { note });
  const strikeOf = async (who: Person): Promise<string> => {
    await town.waitUntilIdle();
    const [row] = await town.app.db.query<{ id: string }>(
      'select id from account_warnings where account_id = $1 order by id desc limit 1',
      [who.id],
    );
    return row?.id ?? '';
  };
  /** Appeals as the page does, since a suspended user cannot call the API. */
  const appealed = async (
    by: Client,
    type: string,
    { who, text = 'Not me' }: { who?: Person; text?: string } = {},
  ): Promise<{ who: Person; id: string; strikeId: string }> => {
    const person = who ?? (await town.person(`person${(people += 1)}`));
    await moderationBy(by).act(person, type, { text: 'Be kind' });
    const strikeId = await strikeOf(person);
    await appealStrike(town.app.systemContext('spec'), { accountId: person.id, strikeId, text });
    await town.waitUntilIdle();
    const [first] = await list(owner, '?limit=1');
    return { who: person, id: first?.id ?? '', strikeId };
  };
  const audit = async (query: string): Promise<AuditEntry[]> => {
    await town.waitUntilIdle();
    return ok(owner.get<AuditEntry[]>(`/api/v1/admin/audit?${query}`));
  };

  it('are listed with strike, posts and staff, by state and in pages', async () => {
    const who = await town.person('author');
    const post = await ok(who.post<Status>('/api/v1/statuses', { status: 'Buy eggs' }));
    const { id: report_id } = await ok(
      admin.post<Report>('/api/v1/reports', { account_id: who.id, status_ids: [post.id] }),
    );
    await town.waitUntilIdle();
    await moderationBy(mod).act(who, 'silence', { text: 'No eggs', report_id });
    // Neither an edit nor a deletion changes the post that staff sees.
    await ok(who.put(`/api/v1/statuses/${post.id}`, { status: 'Love birds' }));
    await ok(who.delete(`/api/v1/statuses/${post.id}`));
    const strike = await strikeOf(who);
    await ok(who.post(`/api/v1/strikes/${strike}/appeal`, { text: 'They were my own' }));
    const [appeal] = await list(admin);
    expect(appeal).to.deep.include({
      state: 'pending',
      text: 'They were my own',
      note: '',
      closed_at: null,
      decided_by_account: null,
    });
    expect(appeal?.strike).to.deep.include({
      id: strike,
      action: 'silence',
      text: 'No eggs',
      report_id,
      overruled_at: null,
    });
    expect([appeal?.account.id, appeal?.imposed_by_account?.id]).to.deep.equal([who.id, mod.id]);
    expect(appeal?.statuses.map(({ id, content }) => [id, content])).to.deep.equal([
      [post.id, '<p>Buy eggs</p>'],
    ]);
    expect(await ok(admin.get(`${APPEALS}/${appeal?.id}`))).to.deep.equal(appeal);

    const ids = [appeal?.id];
    for (const verdict of ['approve', 'reject', undefined]) {
      const { id } = await appealed(mod, 'silence');
      if (verdict !== undefined) await ok(judge(admin, id, verdict));
      ids.unshift(id);
    }
    expect((await list(admin)).map(({ id }) => id)).to.deep.equal(ids);
    const [pending, rejected, approved, first] = ids;
    const states = async (state: string): Promise<string[]> =>
      (await list(admin, `?state=${state}`)).map(({ id }) => id);
    expect(await states('pending')).to.deep.equal([pending, first]);
    expect(await states('approved')).to.deep.equal([approved]);
    expect(await states('rejected')).to.deep.equal([rejected]);
    expect(await states('withdrawn')).to.deep.equal([]);
    expect(await states('')).to.deep.equal(ids);
    expect((await admin.get(`${APPEALS}?state=nonsense`)).status).to.equal(422);
    const { json, links } = await admin.get<AdminAppeal[]>(`${APPEALS}?state=pending&limit=1`);
    expect(json.map(({ id }) => id)).to.deep.equal([pending]);
    expect((await list(admin, `?${links['next']}`)).map(({ id }) => id)).to.deep.equal([first]);
  });

  it('are open only to staff who may decide them, with the scopes for accounts', async () => {
    const { who, id } = await appealed(mod, 'silence');
    const reader = await admin.withScopes('admin:read:accounts');
    const writer = await admin.withScopes('admin:write:accounts');
    const before = await town.events();
    for (const stranger of [who, mod]) {
      for (const answer of [
        await stranger.get(APPEALS),
        await stranger.get(`${APPEALS}/${id}`),
        await judge(stranger, id, 'approve'),
        await judge(stranger, id, 'reject'),
      ]) {
        expect(answer.status).to.equal(403);
      }
    }
    expect((await judge(mod, id, 'approve')).json).to.deep.equal(NOT_ALLOWED);
    expect((await town.nobody.get(APPEALS)).status).to.equal(403);
    expect((await writer.get(APPEALS)).status).to.equal(403);
    expect((await judge(reader, id, 'approve')).status).to.equal(403);
    for (const strange of ['0', 'x', '100000000000000000', who.id]) {
      expect((await admin.get(`${APPEALS}/${strange}`)).status).to.equal(404);
      expect((await judge(admin, strange, 'approve')).status).to.equal(404);
    }
    for (const note of ['x'.repeat(2_001), 'x'.repeat(30_000)]) {
      expect((await judge(admin, id, 'reject', note)).status).to.equal(422);
    }
    expect(await town.events()).to.equal(before);
    expect((await ok(reader.get<AdminAppeal>(`${APPEALS}/${id}`))).state).to.equal('pending');
    expect((await ok(judge(writer, id, 'reject', 'No'))).state).to.equal('rejected');
  });

  for (const [type, member] of [
    ['sensitive', 'sensitized'],
    ['silence', 'silenced'],
    ['suspend', 'suspended'],
    ['disable', 'disabled'],
  ] as const) {
    it(`end ${type} of the strike when they are approved`, async () => {
      const { who, id, strikeId } = await appealed(mod, type);
      const before = await town.events();
      const approved = await ok(judge(admin, id, 'approve', 'You are right'));
      expect(approved).to.include({ state: 'approved', note: 'You are right' });
      expect(approved.account).to.include({ id: who.id, [member]: false });
      expect(approved.decided_by_account?.id).to.equal(admin.id);
      expect(approved.strike.overruled_at).to.equal(approved.closed_at);
      expect(await town.events()).to.equal(before + 2n);
      // A repeated approval succeeds and changes nothing.
      expect(await ok(judge(admin, id, 'approve', 'Once more'))).to.deep.equal(approved);
      const late = await judge(admin, id, 'reject');
      expect([late.status, late.json]).to.deep.equal([422, { error: 'This appeal is decided already' }]);
      expect(await town.events()).to.equal(before + 2n);
      const client = await who.withScopes('read');
      const [strike] = await ok(client.get<Strike[]>('/api/v1/strikes'));
      expect(strike).to.include({ id: strikeId, overruled_at: approved.closed_at });
    });
  }

  it('leave a measure in force that a later strike imposed, when they are approved', async () => {
    const { who, id } = await appealed(mod, 'silence');
    await moderationBy(mod).does(who, 'unsilence');
    await moderationBy(mod).act(who, 'silence', { text: 'Again' });
    const approved = await ok(judge(admin, id, 'approve'));
    expect(approved.account.silenced).to.equal(true);
    const second = await appealed(mod, 'sensitive');
    await moderationBy(mod).does(second.who, 'unsensitive');
    const before = await town.events();
    expect((await ok(judge(admin, second.id, 'approve'))).account.sensitized).to.equal(false);
    expect(await town.events()).to.equal(before + 1n);
  });

  it('leave the strike in force when they are rejected', async () => {
    const { id } = await appealed(mod, 'silence');
    const rejected = await ok(judge(admin, id, 'reject'));
    expect(rejected).to.include({ state: 'rejected', note: '' });
    expect(rejected.account.silenced).to.equal(true);
    expect(rejected.strike.overruled_at).to.equal(null);
  });

  it('are decided once when several decide at the same time', async () => {
    const { id } = await appealed(mod, 'suspend');
    const before = await town.events();
    const answers = await Promise.all(
      [admin, second, owner].map((who, index) => judge(who, id, index === 0 ? 'approve' : 'reject')),
    );
    const done = answers.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ json }) => json.state)).size).to.equal(1);
    expect([1n, 2n]).to.include((await town.events()) - before);
  });

  it('are not decided by the author of the strike, unless no one else may', async () => {
    const own = await appealed(admin, 'silence');
    const before = await town.events();
    for (const verdict of ['approve', 'reject']) {
      const refused = await judge(admin, own.id, verdict);
      expect([refused.status, refused.json]).to.deep.equal([403, { error: FOUR_EYES }]);
    }
    expect(await town.events()).to.equal(before);
    expect((await ok(judge(second, own.id, 'approve'))).decided_by_account?.id).to.equal(second.id);

    // Only the owner ranks above an admin.
    const fallen = await town.staff('fallen', 'Admin');
    const { id } = await appealed(owner, 'none', { who: fallen });
    expect((await judge(fallen, id, 'approve')).json).to.deep.equal(NOT_ALLOWED);
    expect((await judge(second, id, 'approve')).json).to.deep.equal(NOT_ALLOWED);
    expect((await ok(judge(owner, id, 'reject'))).decided_by_account?.id).to.equal(owner.id);
  });

  it('also cover strikes by the operator', async () => {
    const who = await town.person('struck');
    const operator = town.app.systemContext('command line');
    const strike = { id: operator.newId(), text: '', reportId: null, statusIds: [], notify: true };
    await takeAction(operator, who.id, { ...strike, action: 'silence' }, undefined);
    await town.waitUntilIdle();
    await ok(who.post(`/api/v1/strikes/${strike.id}/appeal`, { text: 'Hm' }));
    const [appeal] = await list(admin);
    expect(appeal?.imposed_by_account).to.equal(null);
    expect((await ok(judge(admin, appeal?.id ?? '', 'approve'))).account.silenced).to.equal(false);
  });

  it('are withdrawn when the account is deleted', async () => {
    const { who, id } = await appealed(mod, 'suspend', { text: 'A secret' });
    await ok(owner.delete(`/api/v1/admin/accounts/${who.id}`));
    await town.waitUntilIdle();
    expect((await list(admin, '?state=pending')).map((each) => each.id)).not.to.include(id);
    const appeal = await ok(admin.get<AdminAppeal>(`${APPEALS}/${id}`));
    expect(appeal).to.include({ state: 'withdrawn', text: '' });
    expect((await judge(admin, id, 'approve')).status).to.equal(404);
  });

  it('are in the audit log with author, decision, reasons and the lifted measure', async () => {
    const who = await town.person('appellant');
    await moderationBy(mod).act(who, 'silence', { text: 'Be kind' });
    const from = await town.events();
    const strikeId = await strikeOf(who);
    await ok(who.post(`/api/v1/strikes/${strikeId}/appeal`, { text: 'I was kind' }));
    const [pending] = await list(admin, '?limit=1');
    await ok(judge(admin, pending?.id ?? '', 'approve', 'So you were'));
    const [approved, lifted, filed, ...others] = await audit(`since_id=${from}&target=${who.id}`);
    expect(others).to.deep.equal([]);
    const told = (entry: AuditEntry | undefined) => [
      ...[entry?.action, entry?.actor.account?.acct, entry?.text],
      entry?.changes.map(({ field, before, after }) => [field, before, after]),
    ];
    expect([filed, lifted, approved].map(told)).to.deep.equal([
      ['appeal.created', 'appellant', 'I was kind', [['state', null, 'pending']]],
      ['account.unsilenced', 'admin', 'So you were', [['silenced', true, false]]],
      ['appeal.approved', 'admin', 'So you were', [['state', 'pending', 'approved']]],
    ]);
    expect(lifted?.command_id).to.equal(approved?.command_id);
    const appeal = { type: 'appeal', id: pending?.id, name: null };
    const account = { type: 'account', id: who.id, name: 'appellant' };
    const strike = { type: 'strike', id: strikeId, name: null };
    expect(filed?.targets).to.deep.equal([appeal, account, strike]);
    expect(approved?.targets).to.deep.equal([appeal, account, strike]);
    expect(lifted?.targets).to.deep.equal([account, appeal, strike]);

    const rejected = await appealed(mod, 'suspend');
    await ok(judge(admin, rejected.id, 'reject', 'You were not'));
    const [line] = await audit('action=appeal.rejected&limit=1');
    expect(told(line)).to.deep.equal([
      'appeal.rejected',
      'admin',
      'You were not',
      [['state', 'pending', 'rejected']],
    ]);
    const withdrawn = await appealed(mod, 'silence');
    await ok(withdrawn.who.delete(`/api/v1/strikes/${withdrawn.strikeId}/appeal`));
    const [taken] = await audit('action=appeal.withdrawn&limit=1');
    expect(told(taken)).to.deep.equal([
      'appeal.withdrawn',
      withdrawn.who.username,
      null,
      [['state', 'pending', 'withdrawn']],
    ]);
  });
});

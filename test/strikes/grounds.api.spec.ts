import { expect } from 'chai';
import type {
  AdminAccount,
  AuditEntry,
  Report,
  Rule,
  Strike,
  StrikeNotice,
} from '#mastodon/schemas/index.ts';
import { signedIn } from '../account-pages/support.ts';
import { load } from '../pages/parse.ts';
import { textsMailedTo } from '../support/mails.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import type { Answer } from '../support/server.ts';

describeTown('The grounds of a strike', function (town) {
  this.timeout(60_000);
  let owner: Person;
  let mod: Person;
  let bob: Person;
  let rule: Rule;
  before(async function () {
    this.timeout(120_000);
    [owner, mod, bob] = await Promise.all([
      town.staff('owner', 'Owner'),
      town.staff('mod', 'Moderator'),
      town.person('bob'),
    ]);
    rule = await ok(owner.post<Rule>('/api/v1/admin/rules', { text: 'No advertising for eggs' }));
  });

  const textOf = ({ body }: Answer): string =>
    (load(body as string).one('main')?.text ?? '').replace(/\s+/g, ' ');
  const reported = async (): Promise<string> => {
    const about = { account_id: bob.id, rule_ids: [rule.id], comment: 'Secret' };
    const { id } = await ok(owner.post<Report>('/api/v1/reports', about));
    await town.waitUntilIdle();
    return id;
  };
  const act = async (type: string, body: object): Promise<Strike> => {
    await ok(mod.post(`/api/v1/admin/accounts/${bob.id}/action`, { type, ...body }));
    await town.waitUntilIdle();
    const [strike] = await ok(bob.get<Strike[]>('/api/v1/strikes?limit=1'));
    return strike!;
  };
  const noticeOf = (strike: Strike): Promise<StrikeNotice> =>
    ok(mod.get<StrikeNotice>(`/api/v1/admin/strikes/${strike.id}/notice`));

  it('are told to the user, by the mail and on the page of the strike, as the preview shows them', async () => {
    const report_id = await reported();
    const staff = await signedIn(town.server, 'mod');
    const preview = textOf(await staff.open(`/admin/reports/${report_id}/act/silence`));
    const reason = `The reason: a violation of these rules of ${town.app.instance.domain}:`;
    expect(preview).to.contain(reason).and.to.contain(rule.text);

    const strike = await act('silence', { report_id, text: 'Stop it' });
    expect(strike.grounds).to.deep.equal({ category: 'violation', rules: [rule.text] });
    const { email } = await ok(owner.get<AdminAccount>(`/api/v1/admin/accounts/${bob.id}`));
    const mail = (await textsMailedTo(email, town.app.config.dataDir)).at(-1) ?? '';
    expect(mail).to.contain(rule.text).and.to.contain('Stop it').and.not.to.contain('Secret');
    const page = textOf(await (await signedIn(town.server, 'bob')).open(`/disputes/strikes/${strike.id}`));
    expect(page).to.contain(reason).and.to.contain(rule.text).and.not.to.contain('Secret');
  });

  it('are null for a strike without a report', async () => {
    expect((await act('none', { text: 'Mind' })).grounds).to.equal(null);
  });

  it('are read by auditors in the mail as it was sent, with its time', async () => {
    const strike = await act('none', { report_id: await reported(), text: 'Stop it now' });
    const notice = await noticeOf(strike);
    expect(notice).to.deep.include({
      strike_id: strike.id,
      account: { id: bob.id, acct: 'bob' },
      notified: true,
    });
    expect(notice.text).to.contain(rule.text).and.to.contain('Stop it now').and.not.to.contain('@example');
    expect(Date.parse(notice.mailed_at ?? '')).to.be.at.least(Date.parse(strike.created_at));
    const [entry] = await ok(owner.get<AuditEntry[]>('/api/v1/admin/audit?action[]=account.warned&limit=1'));
    const page = textOf(await (await signedIn(town.server, 'mod')).open(`/admin/audit/${entry?.id}`));
    expect(page).to.contain('What @bob was told').and.to.contain('Stop it now');
    const [reading] = await ok(
      owner.get<AuditEntry[]>(`/api/v1/admin/audit?action[]=audit_log.viewed&actor=${mod.id}&limit=40`),
    ).then((all) => all.filter(({ changes }) => changes.some(({ after }) => after === strike.id)));
    expect(reading?.actor.account?.id, 'the reading is recorded').to.equal(mod.id);
  });

  it('say that nothing was told where staff chose so', async () => {
    const strike = await act('none', { text: 'Hm', send_email_notification: false });
    expect(await noticeOf(strike)).to.deep.include({ notified: false, mailed_at: null, text: null });
    expect((await bob.get(`/api/v1/admin/strikes/${strike.id}/notice`)).status).to.equal(403);
    for (const id of ['0', '1', 'x', '99999999999999999999999'])
      expect((await mod.get(`/api/v1/admin/strikes/${id}/notice`)).status, id).to.equal(404);
  });

  it('are erased in the mail with the personal data of the user', async () => {
    const strike = await act('none', { text: 'Goodbye' });
    await ok(mod.post(`/api/v1/admin/accounts/${bob.id}/action`, { type: 'suspend' }));
    await ok(owner.delete(`/api/v1/admin/accounts/${bob.id}`));
    await town.waitUntilIdle();
    const notice = await noticeOf(strike);
    expect(notice.text).to.equal(null);
    expect(notice.mailed_at).not.to.equal(null);
  });
});

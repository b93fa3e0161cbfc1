import { expect } from 'chai';
import { addRule } from '#commands/instance/index.ts';
import type { AdminReport, Report, ReportNote, Status } from '#mastodon/schemas/index.ts';
import { alertOf, doneOf, follow, headingOf, inMain, signedIn } from '../account-pages/support.ts';
import { type Browser, locationOf } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { type Answer as ApiAnswer, describeTown, ok, type Person } from '../support/people.ts';
import { remoteAccount } from '../support/remote.ts';
import type { Answer } from '../support/server.ts';
import { settled } from './people.ts';
import { statementsOfPage } from './support.ts';

const AT_MOST = 6;

describeTown('Reports in the console', function (town) {
  this.timeout(120_000);
  let alice: Person;
  let mod: Person;
  let browser: Browser;
  let second: Browser;
  let count = 0;

  before(async () => {
    alice = await town.person('alice');
    mod = await town.staff('mod', 'Moderator');
    await town.staff('second', 'Admin');
    [browser, second] = await Promise.all([signedIn(town.server, 'mod'), signedIn(town.server, 'second')]);
  });

  const done = <Json>(answer: Promise<ApiAnswer<Json>>): Promise<Json> => settled(town, answer);
  const reported = async (
    comment = 'Rude',
    posts = ['A loud post'],
  ): Promise<{ id: string; path: string; who: Person }> => {
    const who = await town.person(`person${(count += 1)}`);
    const ids: string[] = [];
    for (const status of posts) ids.push((await done(who.post<Status>('/api/v1/statuses', { status }))).id);
    const { id } = await done(
      alice.post<Report>('/api/v1/reports', { account_id: who.id, status_ids: ids, comment }),
    );
    return { id, path: `/admin/reports/${id}`, who };
  };
  const reportOf = (id: string): Promise<AdminReport> => ok(mod.get(`/api/v1/admin/reports/${id}`));
  const textOf = ({ body }: Answer): string =>
    (load(body as string).one('main')?.text ?? '').replaceAll(/\s+/g, ' ');
  const linksOf = (answer: Answer): string[] =>
    inMain(answer, 'a').map(({ attributes }) => attributes['href'] ?? '');

  it('are for staff who manage reports', async () => {
    const { path } = await reported();
    const stranger = await signedIn(town.server, 'alice');
    for (const page of ['/admin/reports', path, `${path}/act/resolve`, `${path}/category`]) {
      expect((await stranger.open(page)).status, page).to.equal(404);
      expect((await browser.open(page)).status, page).to.equal(200);
    }
    expect((await browser.open('/admin/appeals')).status).to.equal(403);
    const before = await town.events();
    expect((await stranger.post(`${path}/act/resolve`, {})).status).to.equal(403);
    expect(await town.events()).to.equal(before);
  });

  it('are a queue with views and filters, whose address can be shared', async () => {
    const far = await remoteAccount(town.app, 'far', 'far.example');
    await town.waitUntilIdle();
    const there = (await done(alice.post<Report>('/api/v1/reports', { account_id: far }))).id;
    const { id, path } = await reported('Mine to handle');
    await browser.open(path);
    const assigned = await browser.submit(`/web/v1/admin/reports/${id}/assign_to_self`);
    expect(locationOf(assigned)).to.equal(`${path}?done=report_assigned`);
    expect((await reportOf(id)).assigned_account?.id).to.equal(mod.id);
    const rows = async (query: string): Promise<string[]> => {
      const answer = await browser.open(`/admin/reports${query}`);
      expect(answer.status).to.equal(200);
      return inMain(answer, 'a')
        .filter(({ inside }) => inside.at(-1) === 'th')
        .map(({ attributes }) => attributes['href']?.split('/').at(-1) ?? '');
    };
    expect(await rows('?view=mine')).to.deep.equal([id]);
    expect(await rows('?view=unassigned')).not.to.include(id);
    expect(await rows('?target_origin=remote')).to.deep.equal([there]);
    expect(await rows('?by_target_domain=far.example')).to.deep.equal([there]);
    expect(await rows('?by_reporter_domain=far.example')).to.deep.equal([]);
    expect(await rows('?view=nonsense')).to.include.members([id, there]);
    expect(textOf(await browser.open('/admin/reports?by_reporter_domain=none.example'))).to.contain(
      'No report matches these filters',
    );
    for (const bad of ['?target_origin=moon', '?max_id=nonsense', `?by_target_domain=${'x'.repeat(600)}`])
      expect((await browser.open(`/admin/reports${bad}`)).status, bad).to.be.oneOf([200, 422]);
  });

  it('show the evidence as it was filed, notes, and the history of both sides', async () => {
    const { id, path, who } = await reported('Look at this', ['As it was']);
    const statuses = (await reportOf(id)).statuses;
    await done(who.put(`/api/v1/statuses/${statuses[0]!.id}`, { status: 'Innocent' }));
    await done(who.delete(`/api/v1/statuses/${statuses[0]!.id}`));
    await browser.open(path);
    const noted = await browser.submit(path, { content: 'Look at\nthe edit' });
    const page = await follow(browser, noted);
    expect(doneOf(page)).to.equal('Your note is added.');
    const [note] = await ok(mod.get<ReportNote[]>(`/api/v1/admin/reports/${id}/notes`));
    expect(note?.content).to.match(/^Look at\r?\nthe edit$/);
    const text = textOf(page);
    for (const part of ['As it was', 'Look at this', 'the edit', `Strikes against @${who.username}`])
      expect(text).to.contain(part);
    expect(text).not.to.contain('Innocent');
    expect(linksOf(page)).to.include.members([`${path}/act/suspend`, `/admin/accounts/${who.id}`]);
    expect(linksOf(page)).to.include.members([`/admin/replay/report/${id}`, `/admin/audit?target=${id}`]);
    const before = await town.events();
    for (const content of ['', ' ', 'x'.repeat(2_001)]) {
      await browser.open(path);
      const refused = await browser.submit(path, { content });
      expect([refused.status, alertOf(refused) !== undefined]).to.deep.equal([422, true]);
    }
    expect(await town.events()).to.equal(before);
  });

  it('say what a decision does and what its user will read, and go on to the next report', async () => {
    const next = await reported('The next one');
    const { id, path, who } = await reported();
    const page = await browser.open(`${path}/act/silence`);
    const text = textOf(page);
    for (const part of ['What this does', 'Only followers', 'Your account was limited', 'by mail'])
      expect(text).to.contain(part);
    const answer = await browser.submit(`${path}/act/silence`, {
      text: 'Please be kind',
      send_email_notification: 'true',
    });
    expect(locationOf(answer)).to.equal(`${next.path}?done=report_decided`);
    await town.waitUntilIdle();
    const { action_taken_by_account: by, target_account } = await reportOf(id);
    expect([by?.id, target_account.silenced]).to.deep.equal([mod.id, true]);
    const [strike] = await ok(who.get<{ action: string; text: string }[]>('/api/v1/strikes'));
    expect(strike).to.include({ action: 'silence', text: 'Please be kind' });
    expect(await mailsTo(who)).to.equal(true);
    expect(textOf(await browser.open(path))).to.contain('This report is resolved');
  });

  it('take an action without a mail where the box is left empty', async () => {
    const { path, who } = await reported();
    await browser.open(`${path}/act/none`);
    expect((await browser.submit(`${path}/act/none`, { text: 'A warning' })).status).to.equal(303);
    await town.waitUntilIdle();
    expect(await mailsTo(who)).to.equal(false);
  });

  /** Tells whether the user got a notification about a strike, which goes out with the mail. */
  async function mailsTo(who: Person): Promise<boolean> {
    const all = await ok(who.get<{ type: string }[]>('/api/v1/notifications'));
    return all.some(({ type }) => type === 'moderation_warning');
  }

  for (const [type, check] of [
    ['mark_as_sensitive', (found: AdminReport) => found.statuses[0]?.sensitive],
    ['sensitive', (found: AdminReport) => found.target_account.sensitized],
    ['disable', (found: AdminReport) => found.target_account.disabled],
    ['suspend', (found: AdminReport) => found.target_account.suspended],
    ['resolve', (found: AdminReport) => !found.target_account.silenced],
  ] as const) {
    it(`are decided once by: ${type}`, async () => {
      const { id, path, who } = await reported();
      for (const each of [browser, second])
        expect((await each.open(`${path}/act/${type}`)).status).to.equal(200);
      const answers = await Promise.all(
        [browser, second].map((each) => each.submit(`${path}/act/${type}`, { text: 'Once' })),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, 409]);
      await town.waitUntilIdle();
      const found = await reportOf(id);
      const late = answers.find(({ status }) => status === 409)!;
      expect(headingOf(late)).to.equal('Decided already');
      const winner = `@${found.action_taken_by_account?.account.acct}`;
      // The strike comes before the resolution, which names its author.
      expect(alertOf(late)).to.match(new RegExp(`${winner} resolved|member of staff has just decided`));
      if (type !== 'mark_as_sensitive') expect(check(found)).to.equal(true);
      const { body } = await town.server.call('GET', `/api/v1/admin/accounts/${who.id}/record`, {
        token: mod.token,
      });
      expect((body as { strikes: unknown[] }).strikes).to.have.length(type === 'resolve' ? 0 : 1);
      expect((await browser.open(`${path}/act/${type}`)).status).to.equal(409);
    });
  }

  it('delete the reported posts, keep them as evidence, and open again', async () => {
    const { id, path, who } = await reported('Delete it', ['Away with this']);
    const [{ id: post }] = (await reportOf(id)).statuses as [Status];
    await browser.open(`${path}/act/delete`);
    expect((await browser.submit(`${path}/act/delete`, { text: '' })).status).to.equal(303);
    await town.waitUntilIdle();
    expect((await who.get(`/api/v1/statuses/${post}`)).status).to.equal(404);
    const page = await browser.open(path);
    expect(textOf(page)).to.contain('Away with this');
    await browser.open(`${path}/act/reopen`);
    const reopened = await follow(browser, await browser.submit(`${path}/act/reopen`));
    expect(doneOf(reopened)).to.equal('The report is unresolved again.');
    expect((await reportOf(id)).action_taken).to.equal(false);
  });

  it('change their category and the rules they cite', async () => {
    await addRule(town.app.systemContext('spec'), { text: 'Be kind', hint: '' });
    const { id, path } = await reported();
    await browser.open(`${path}/category`);
    const saved = await browser.submit(`${path}/category`, { category: 'violation', 'rule_ids[]': '1' });
    expect(locationOf(saved)).to.equal(`${path}?done=report_changed`);
    await town.waitUntilIdle();
    const found = await reportOf(id);
    expect([found.category, found.rules.map(({ text }) => text)]).to.deep.equal(['violation', ['Be kind']]);
    await browser.open(`${path}/category`);
    expect((await browser.submit(`${path}/category`, { category: 'nonsense' })).status).to.equal(422);
  });

  it('refuse what makes no sense, and what outranks the moderator, and change nothing', async () => {
    const bare = await reported('No posts', []);
    const owner = await town.staff('owner', 'Owner');
    const { id } = await done(alice.post<Report>('/api/v1/reports', { account_id: owner.id }));
    const before = await town.events();
    for (const path of ['0', 'nonsense', '99999999999999999999', id.slice(1)])
      expect((await browser.open(`/admin/reports/${path}`)).status, path).to.equal(404);
    for (const type of ['delete', 'mark_as_sensitive', 'nonsense'])
      expect((await browser.open(`${bare.path}/act/${type}`)).status, type).to.equal(404);
    await browser.open(`/admin/reports/${id}/act/suspend`);
    const refused = await browser.submit(`/admin/reports/${id}/act/suspend`, { text: 'Down' });
    expect([refused.status, alertOf(refused)]).to.deep.equal([403, 'This action is not allowed']);
    expect(String(refused.body)).to.contain('Down</textarea>');
    const foreign = await browser.post(`${bare.path}/act/resolve`, { csrf_token: 'x' });
    expect(foreign.status).to.equal(403);
    expect(await town.events()).to.equal(before);
  });

  it(`cost at most ${AT_MOST} statements, however many there are`, async () => {
    const { path } = await reported('With posts', ['one', 'two', 'three']);
    for (const page of ['/admin/reports', path, `${path}/act/suspend`]) {
      await browser.open(page);
      const names = await statementsOfPage(town.app.db, () => browser.open(page));
      expect(names.length, `${page}: ${names.join(', ')}`).to.be.within(1, AT_MOST);
    }
  });
});

import { expect } from 'chai';
import type { Report, Status } from '#mastodon/schemas/index.ts';
import { headingOf, inMain, signedIn } from '../account-pages/support.ts';
import { type Browser, locationOf } from '../oauth/client.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import { statementsOfPage } from './support.ts';

describeTown('The pages of a replay', (town) => {
  let bob: Person;
  let report: string;
  let auditor: Browser;
  let path: string;
  before(async function () {
    this.timeout(120_000);
    const alice = await town.person('alice');
    bob = await town.person('bob', { display_name: 'Bob <b>of the eggs</b>' });
    await town.staff('mod', 'Moderator');
    const boss = await town.staff('boss', 'Owner');
    const post = await ok(bob.post<Status>('/api/v1/statuses', { status: 'Buy <i>eggs</i>' }));
    await town.waitUntilIdle();
    const filed = { account_id: bob.id, status_ids: [post.id], comment: 'He sells eggs' };
    report = (await ok(alice.post<Report>('/api/v1/reports', filed))).id;
    const action = { type: 'suspend', text: 'No eggs', report_id: report };
    await ok(boss.post(`/api/v1/admin/accounts/${bob.id}/action`, action));
    await ok(boss.post(`/api/v1/admin/accounts/${bob.id}/unsuspend`));
    await town.waitUntilIdle();
    auditor = await signedIn(town.server, 'boss');
    path = `/admin/replay/account/${bob.id}`;
  });

  const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
  const said = (page: Awaited<ReturnType<Browser['open']>>, name = 'div', what?: string): string =>
    plain(
      inMain(page, name)
        .filter(({ attributes }) => what === undefined || attributes['id'] === what)
        .map(({ text }) => text)
        .join(' | '),
    );
  /** Returns the number of the step with this text. */
  const stepWith = async (text: string): Promise<number> => {
    const links = inMain(await auditor.open(path), 'a').map((link) => plain(link.text));
    const [, step] = /^Step (\d+): /.exec(links.find((each) => each.endsWith(text)) ?? '') ?? [];
    return Number(step);
  };

  it('show the last step first, and every step by its address', async () => {
    const page = await auditor.open(path);
    expect(headingOf(page)).to.equal('Account @bob');
    expect(said(page, 'section', 'replay-timeline')).to.include('lifted the suspension');
    const suspended = await stepWith('suspended the account');
    const before = said(await auditor.open(`${path}?step=${suspended - 1}`), 'div', 'replay-at');
    expect(before).to.include('Active').and.include('Everyone');
    const after = said(await auditor.open(`${path}?step=${suspended}`), 'div', 'replay-at');
    expect(after)
      .to.match(/suspended: no → becomes yes/)
      .and.include('Only staff');
    expect(after).to.include(`--as-of`);
  });

  it('escape the texts of people', async () => {
    const { body } = await auditor.open(path);
    expect(body).not.to.include('<b>of the eggs').and.not.include('<i>eggs');
    expect(said(await auditor.open(path)))
      .to.include('Bob <b>of the eggs</b>')
      .and.include('Buy <i>eggs</i>');
  });

  it('name people, posts, reports and strikes in words instead of ids', async () => {
    const changed = async (text: string): Promise<string> =>
      said(await auditor.open(`${path}?step=${await stepWith(text)}`), 'section', 'replay-timeline');
    const strike = await auditor.open(`${path}?step=${await stepWith('imposed a strike')}`);
    const box = plain(
      inMain(strike, 'section')
        .filter(({ attributes }) => attributes['aria-labelledby'] === 'change-title')
        .map(({ text }) => text)
        .join(),
    );
    expect(box).to.include('strike (suspended): because of: not set → becomes report (other)');
    expect(box)
      .to.include('post “Buy <i>eggs</i>”')
      .and.not.match(/\d{12,}/);
    expect(await changed('imposed a strike')).not.to.match(/\d{12,}/);
    expect(said(await auditor.open('/admin/replay'), 'li')).to.include('@bob, other');
  });

  it('lead to the proofs of their lines, and to the other things', async () => {
    const links = inMain(await auditor.open(path), 'a').map(({ attributes }) => attributes['href'] ?? '');
    expect(links).to.include(`/admin/replay/report/${report}`);
    expect(links.filter((href) => href.startsWith('/admin/proofs/'))).to.have.lengthOf.at.least(3);
    const [proof = ''] = links.filter((href) => href.startsWith('/admin/proofs/'));
    expect((await auditor.open(proof)).status).to.equal(200);
  });

  it('have buttons for the first, previous, next and last step', async () => {
    const hrefs = async (step: number): Promise<(string | undefined)[]> => {
      const links = inMain(await auditor.open(`${path}?step=${step}`), 'a');
      return ['first', 'back', 'next', 'last'].map(
        (id) => links.find(({ attributes }) => attributes['id'] === `replay-${id}`)?.attributes['href'],
      );
    };
    const [first, back, next, last = ''] = await hrefs(2);
    expect([first, back, next]).to.deep.equal([1, 1, 3].map((step) => `${path}?step=${step}`));
    const count = Number(last.split('=')[1]);
    const [, , none, itself] = await hrefs(count);
    expect([none, itself]).to.deep.equal([undefined, undefined]);
  });

  it('give the script the changed parts alone', async () => {
    const cookie = auditor.cookieHeader;
    const headers = { cookie, 'x-rookery-fragment': '1' };
    const answer = await fetch(new URL(`${path}?step=1`, town.url), { headers });
    const text = await answer.text();
    expect(text).to.include('id="replay-buttons"').and.include('id="replay"').and.not.include('<html');
  });

  it('find a subject, and lead to the only one', async () => {
    const page = await auditor.open('/admin/replay?q=@bob');
    expect(locationOf(page)).to.include(path);
    expect(said(await auditor.open('/admin/replay'), 'li')).to.include('@bob');
    const nothing = await auditor.open('/admin/replay?q=%3Cb%3Enobody');
    expect(said(nothing, 'p')).to.include('Nothing found');
  });

  it('show reports, posts, and settings that were never changed', async () => {
    const page = await auditor.open(`/admin/replay/report/${report}`);
    expect(said(page)).to.include('He sells eggs').and.include('Buy <i>eggs</i>');
    const setting = await auditor.open('/admin/replay/setting/title');
    expect(said(setting, 'p')).to.include('was never changed');
  });

  it('refuse ids that are none, unknown kinds, and steps past the end', async () => {
    const absent = ['account/x', 'account/1', 'planet/1', 'domain/unknown.example', 'rule/0', 'setting/x'];
    for (const each of absent) {
      expect((await auditor.open(`/admin/replay/${each}`)).status, each).to.equal(404);
    }
    for (const [step, status] of [
      ['9999', 404],
      ['-1', 422],
      ['9'.repeat(40), 422],
    ] as const) {
      expect((await auditor.open(`${path}?step=${step}`)).status, step).to.equal(status);
    }
    expect((await auditor.open(`/admin/replay?q=${'x'.repeat(501)}`)).status).to.equal(422);
  });

  it('are there for roles that may see the audit log, and unknown to users without a role', async () => {
    const [mod, user] = [await signedIn(town.server, 'mod'), await signedIn(town.server, 'alice')];
    for (const each of ['/admin/replay', path]) {
      expect((await mod.open(each)).status, each).to.equal(200);
      expect((await user.open(each)).status, each).to.equal(404);
    }
  });

  it('cost at most six statements', async () => {
    for (const each of [
      '/admin/replay',
      path,
      `/admin/replay/report/${report}`,
      '/admin/replay/setting/title',
    ]) {
      const statements = await statementsOfPage(town.app.db, () => auditor.open(each));
      expect(statements.length, `${each}: ${statements.join(' ')}`).to.be.at.most(6);
    }
  });
});

import { expect } from 'chai';
import type { AdminAccount, Report, Status } from '#mastodon/schemas/index.ts';
import { alertOf, doneOf, follow, headingOf, inMain, signedIn } from '../account-pages/support.ts';
import { type Browser, locationOf } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import { remoteAccount } from '../support/remote.ts';
import type { Answer } from '../support/server.ts';
import { applicant, settled } from './people.ts';
import { statementsOfPage } from './support.ts';

const AT_MOST = 6;

describeTown('Accounts in the console', function (town) {
  this.timeout(120_000);
  let mod: Person;
  let admin: Person;
  let browser: Browser;
  let second: Browser;
  let far: string;
  let count = 0;

  before(async () => {
    mod = await town.staff('mod', 'Moderator');
    admin = await town.staff('admin', 'Admin');
    far = await remoteAccount(town.app, 'far', 'far.example');
    await town.waitUntilIdle();
    [browser, second] = await Promise.all([signedIn(town.server, 'mod'), signedIn(town.server, 'admin')]);
  });

  const somebody = (): Promise<Person> => town.person(`person${(count += 1)}`);
  const seen = (id: string): Promise<AdminAccount> => ok(mod.get(`/api/v1/admin/accounts/${id}`));
  const textOf = ({ body }: Answer): string =>
    (load(body as string).one('main')?.text ?? '').replaceAll(/\s+/g, ' ');
  const listed = (answer: Answer): string[] =>
    inMain(answer, 'a')
      .filter(({ inside }) => inside.at(-1) === 'th')
      .map(({ attributes }) => attributes['href']?.split('/').at(-1) ?? '');
  const act = async (id: string, type: string, fields = {}, by = browser): Promise<Answer> => {
    const path = `/admin/accounts/${id}/act/${type}`;
    const page = await by.open(path);
    expect(page.status, path).to.equal(200);
    return by.submit(path, fields);
  };

  it('are for staff who manage users', async () => {
    const bob = await somebody();
    const stranger = await signedIn(town.server, bob.username);
    for (const path of ['', `/${bob.id}`, `/${bob.id}/act/suspend`]) {
      expect((await stranger.open(`/admin/accounts${path}`)).status).to.equal(404);
      expect((await browser.open(`/admin/accounts${path}`)).status).to.equal(200);
    }
    expect((await stranger.open('/admin/sign_ups')).status).to.equal(404);
  });

  it('are listed by each filter and by any mix of them', async () => {
    const bob = await somebody();
    await settled(town, mod.post(`/api/v1/admin/accounts/${bob.id}/action`, { type: 'silence' }));
    const ids = async (query: string): Promise<string[]> => {
      const answer = await browser.open(`/admin/accounts${query}`);
      expect(answer.status, query).to.equal(200);
      return listed(answer);
    };
    expect(await ids('?origin=remote')).to.deep.equal([far]);
    expect(await ids('?by_domain=far.example')).to.deep.equal([far]);
    expect(await ids('?status=silenced')).to.deep.equal([bob.id]);
    expect(await ids(`?username=${bob.username}&origin=local&status=silenced`)).to.deep.equal([bob.id]);
    expect(await ids(`?username=${bob.username}&status=suspended`)).to.deep.equal([]);
    expect((await ids('?role_ids=staff')).sort()).to.deep.equal([mod.id, admin.id].sort());
    expect(await ids('?role_ids=1')).to.deep.equal([mod.id]);
    expect(await ids('?ip=nonsense')).to.deep.equal([]);
    expect(await ids('?email=mod')).to.deep.equal([mod.id]);
    for (const bad of ['?origin=moon', '?status=happy'])
      expect((await browser.open(`/admin/accounts${bad}`)).status, bad).to.equal(400);
    expect(alertOf(await browser.open('/admin/accounts?origin=moon'))).to.equal('Unknown origin: moon');
  });

  it('show strikes, reports, notes, addresses, posts and statistics on one page', async () => {
    const bob = await somebody();
    const post = await settled(town, bob.post<Status>('/api/v1/statuses', { status: 'My newest post' }));
    const about = { account_id: bob.id, status_ids: [post.id], comment: 'Too loud' };
    const { id } = await settled(town, admin.post<Report>('/api/v1/reports', about));
    await settled(town, mod.post(`/api/v1/admin/reports/${id}/notes`, { content: 'Watch them' }));
    await settled(town, mod.post(`/api/v1/admin/accounts/${bob.id}/action`, { type: 'none', text: 'Mind' }));
    await signedIn(town.server, bob.username);
    const page = await browser.open(`/admin/accounts/${bob.id}`);
    const text = textOf(page);
    for (const part of ['My newest post', 'Too loud', 'Watch them', 'Mind', '1 browser', '1 post'])
      expect(text).to.contain(part);
    const links = inMain(page, 'a').map(({ attributes }) => attributes['href']);
    expect(links).to.include.members([
      ...[`/admin/replay/account/${bob.id}`, `/admin/audit?target=${bob.id}`, `/admin/reports/${id}`],
    ]);
    const remote = textOf(await browser.open(`/admin/accounts/${far}`));
    expect(remote).to.contain('far.example');
    expect(remote).not.to.contain('Freeze');
  });

  for (const [type, lifting, member] of [
    ['sensitive', 'unsensitive', 'sensitized'],
    ['disable', 'enable', 'disabled'],
    ['silence', 'unsilence', 'silenced'],
    ['suspend', 'unsuspend', 'suspended'],
  ] as const) {
    it(`take and lift: ${type}`, async () => {
      const bob = await somebody();
      const taken = await act(bob.id, type, { text: 'Because' });
      expect(doneOf(await follow(browser, taken))).to.equal('Done. The audit log names you.');
      expect((await seen(bob.id))[member]).to.equal(true);
      expect((await act(bob.id, lifting)).status).to.equal(303);
      expect((await seen(bob.id))[member]).to.equal(false);
      const again = await browser.open(`/admin/accounts/${bob.id}/act/${lifting}`);
      expect([again.status, headingOf(again)]).to.deep.equal([409, 'Nothing to do']);
    });
  }

  it('delete the data of a suspended account, for roles that may', async () => {
    const bob = await somebody();
    await act(bob.id, 'suspend');
    expect(textOf(await browser.open(`/admin/accounts/${bob.id}`))).not.to.contain('Delete data');
    const before = await town.events();
    const page = `/admin/accounts/${bob.id}/act/delete_data`;
    expect((await browser.open(page)).status).to.equal(403);
    await browser.open(`/admin/accounts/${bob.id}/act/unsuspend`);
    expect((await browser.submit(page)).status).to.equal(403);
    expect(await town.events()).to.equal(before);
    const done = await act(bob.id, 'delete_data', {}, second);
    expect(locationOf(done)).to.equal('/admin/accounts?done=account_decided');
    expect(await town.events()).to.be.greaterThan(Number(before));
  });

  it('refuse what makes no sense, and what outranks the moderator, and change nothing', async () => {
    const before = await town.events();
    for (const path of ['/0', '/nonsense', '/1/act/suspend', `/${far}/act/disable`, `/${mod.id}/act/dance`])
      expect((await browser.open(`/admin/accounts${path}`)).status, path).to.equal(404);
    const refused = await act(admin.id, 'suspend', { text: 'Down' });
    expect([refused.status, alertOf(refused)]).to.deep.equal([403, 'This action is not allowed']);
    const long = await act(far, 'silence', { text: 'x'.repeat(10_001) });
    expect(long.status).to.equal(422);
    expect((await browser.post(`/admin/accounts/${far}/act/silence`, {})).status).to.equal(403);
    expect(await town.events()).to.equal(before);
  });

  it('approve and reject sign-ups, one and several, and say what was decided meanwhile', async () => {
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three', 'four']) ids.push(await applicant(town, name, `I am ${name}`));
    const [one, two, three, four] = ids as [string, string, string, string];
    const list = await browser.open('/admin/sign_ups');
    expect(listed(list)).to.deep.equal([four, three, two, one]);
    expect(textOf(list)).to.contain('I am two');
    const none = await browser.open('/admin/sign_ups/decide?act=approve');
    expect([none.status, headingOf(none)]).to.deep.equal([200, 'Approve 0 sign-ups']);
    expect((await browser.open(`/admin/sign_ups/decide?act=dance&id=${one}`)).status).to.equal(404);
    const confirm = `/admin/sign_ups/decide?act=approve&id=${one}&id=${two}&id=nonsense`;
    expect(headingOf(await browser.open(confirm))).to.equal('Approve 2 sign-ups');
    await second.open(`/admin/sign_ups/decide?act=reject&id=${two}&id=${three}`);
    const approved = await browser.submit('/admin/sign_ups/decide');
    expect(locationOf(approved)).to.equal('/admin/sign_ups?done=sign_ups_decided');
    expect([(await seen(one)).approved, (await seen(two)).approved]).to.deep.equal([true, true]);
    const late = await second.submit('/admin/sign_ups/decide');
    expect([late.status, headingOf(late)]).to.deep.equal([409, 'Decided already']);
    expect(alertOf(late)).to.contain('1 sign-up of 2');
    await town.waitUntilIdle();
    expect((await seen(two)).approved).to.equal(true);
    expect(listed(await browser.open('/admin/sign_ups'))).to.deep.equal([four]);
    expect((await act(four, 'reject')).status).to.equal(303);
    expect((await browser.post('/admin/sign_ups/decide', { act: 'approve', ids: one })).status).to.equal(403);
    await browser.open(confirm);
    expect(textOf(await browser.open('/admin/sign_ups'))).to.contain('No pending sign-ups');
  });

  it(`cost at most ${AT_MOST} statements, however many there are`, async () => {
    const bob = await somebody();
    for (const status of ['one', 'two', 'three'])
      await settled(town, bob.post<Status>('/api/v1/statuses', { status }));
    await applicant(town, 'five');
    for (const path of ['/accounts', `/accounts/${bob.id}`, `/accounts/${bob.id}/act/suspend`, '/sign_ups']) {
      await browser.open(`/admin${path}`);
      const names = await statementsOfPage(town.app.db, () => browser.open(`/admin${path}`));
      expect(names.length, `${path}: ${names.join(', ')}`).to.be.within(1, AT_MOST);
    }
  });
});

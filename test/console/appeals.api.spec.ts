import { expect } from 'chai';
import { appealStrike } from '#commands/strikes/index.ts';
import type { AdminAppeal } from '#mastodon/schemas/index.ts';
import { alertOf, doneOf, follow, headingOf, signedIn } from '../account-pages/support.ts';
import type { Browser } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import type { Answer } from '../support/server.ts';
import { settled } from './people.ts';
import { statementsOfPage } from './support.ts';

const AT_MOST = 6;

describeTown('Appeals in the console', function (town) {
  this.timeout(120_000);
  let mod: Person;
  let admin: Person;
  let browser: Browser;
  let second: Browser;
  let count = 0;

  before(async () => {
    mod = await town.staff('mod', 'Moderator');
    admin = await town.staff('admin', 'Admin');
    await town.staff('second', 'Admin');
    [browser, second] = await Promise.all([signedIn(town.server, 'admin'), signedIn(town.server, 'second')]);
  });

  const appealed = async (by = mod): Promise<{ id: string; path: string; who: Person }> => {
    const who = await town.person(`person${(count += 1)}`);
    const measure = { type: 'silence', text: 'Be kind' };
    await settled(town, by.post(`/api/v1/admin/accounts/${who.id}/action`, measure));
    const [strike] = await ok(who.get<{ id: string }[]>('/api/v1/strikes'));
    const plea = { accountId: who.id, strikeId: strike!.id, text: 'It was <b>not</b> me' };
    await appealStrike(town.app.systemContext('spec'), plea);
    await town.waitUntilIdle();
    const [first] = await ok(admin.get<AdminAppeal[]>('/api/v1/admin/appeals?limit=1'));
    return { id: first!.id, path: `/admin/appeals/${first!.id}`, who };
  };
  const appealOf = (id: string): Promise<AdminAppeal> => ok(admin.get(`/api/v1/admin/appeals/${id}`));
  const textOf = ({ body }: Answer): string =>
    (load(body as string).one('main')?.text ?? '').replaceAll(/\s+/g, ' ');

  it('are for staff who manage appeals', async () => {
    const { path, who } = await appealed();
    const stranger = await signedIn(town.server, who.username);
    const moderator = await signedIn(town.server, 'mod');
    for (const page of ['/admin/appeals', path, `${path}/act/approve`]) {
      expect((await stranger.open(page)).status, page).to.equal(404);
      expect((await moderator.open(page)).status, page).to.equal(403);
      expect((await browser.open(page)).status, page).to.equal(200);
    }
  });

  it('are listed by state, and shown with their strike', async () => {
    const { path, who } = await appealed();
    const page = await browser.open(path);
    for (const part of ['It was <b>not</b> me', 'Be kind', 'Limited', '@mod', 'Four eyes'])
      expect(textOf(page)).to.contain(part);
    expect(textOf(await browser.open('/admin/appeals'))).to.contain(`@${who.username}`);
    expect(textOf(await browser.open('/admin/appeals?state=approved'))).to.contain('No appeals');
    expect((await browser.open('/admin/appeals?state=nonsense')).status).to.equal(200);
    for (const bad of ['0', 'nonsense', '99999999999999999999'])
      expect((await browser.open(`/admin/appeals/${bad}`)).status).to.equal(404);
    expect((await browser.open(`${path}/act/dance`)).status).to.equal(404);
  });

  for (const [verb, state] of [
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ] as const) {
    it(`are decided with an answer, after a page that says what happens: ${verb}`, async () => {
      const { id, path, who } = await appealed();
      const asked = await browser.open(`${path}/act/${verb}`);
      expect(textOf(asked)).to.contain('What this does');
      const page = await follow(
        browser,
        await browser.submit(`${path}/act/${verb}`, { note: 'We looked again' }),
      );
      expect(doneOf(page)).to.equal('The appeal is decided. Its author is told.');
      expect(textOf(page)).to.contain('We looked again');
      const found = await appealOf(id);
      expect([found.state, found.decided_by_account?.id]).to.deep.equal([state, admin.id]);
      expect(found.account.silenced).to.equal(state === 'rejected');
      expect(who.id).to.equal(found.account.id);
    });
  }

  it('are not decided by the author of the strike, who is told why', async () => {
    const { id, path } = await appealed(admin);
    expect(textOf(await browser.open(path))).to.contain('You imposed this strike. Four eyes');
    const before = await town.events();
    for (const verb of ['approve', 'reject']) {
      await browser.open(`${path}/act/${verb}`);
      const refused = await browser.submit(`${path}/act/${verb}`, { note: 'Kept' });
      expect(refused.status).to.equal(403);
      expect(alertOf(refused)).to.contain('somebody else of the staff has to decide');
      expect(String(refused.body)).to.contain('Kept</textarea>');
    }
    expect(await town.events()).to.equal(before);
    expect((await appealOf(id)).state).to.equal('pending');
  });

  for (const verbs of [
    ['approve', 'reject'],
    ['approve', 'approve'],
  ] as const) {
    it(`are decided once, and the second is told who did: ${verbs.join(' and ')}`, async () => {
      const { id, path } = await appealed();
      const browsers = [browser, second];
      for (const [index, each] of browsers.entries()) await each.open(`${path}/act/${verbs[index]}`);
      const answers = await Promise.all(
        browsers.map((each, index) => each.submit(`${path}/act/${verbs[index]}`, { note: 'Mine' })),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, 409]);
      const late = answers.find(({ status }) => status === 409)!;
      await town.waitUntilIdle();
      const found = await appealOf(id);
      expect(headingOf(late)).to.equal('Decided already');
      expect(alertOf(late)).to.contain(`@${found.decided_by_account?.username} closed this appeal`);
      expect((await browser.open(`${path}/act/approve`)).status).to.equal(409);
    });
  }

  it('refuse a foreign form and an answer that is too long, and change nothing', async () => {
    const { path } = await appealed();
    const before = await town.events();
    await browser.open(`${path}/act/reject`);
    expect((await browser.submit(`${path}/act/reject`, { note: 'x'.repeat(2_001) })).status).to.equal(422);
    expect((await browser.post(`${path}/act/reject`, { note: '' })).status).to.equal(403);
    expect(await town.events()).to.equal(before);
  });

  it(`cost at most ${AT_MOST} statements, however many there are`, async () => {
    const { path } = await appealed();
    for (const page of ['/admin/appeals', path, `${path}/act/approve`]) {
      await browser.open(page);
      const names = await statementsOfPage(town.app.db, () => browser.open(page));
      expect(names.length, `${page}: ${names.join(', ')}`).to.be.within(1, AT_MOST);
    }
  });
});

import { expect } from 'chai';
import type { Report } from '#mastodon/schemas/index.ts';
import { inMain, signedIn } from '../account-pages/support.ts';
import type { Browser } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { describeTown, type Person } from '../support/people.ts';
import type { Answer } from '../support/server.ts';
import { applicant, settled } from './people.ts';
import { statementsOfPage } from './support.ts';

const AT_MOST = 6;

describeTown('The dashboard of the console', function (town) {
  this.timeout(120_000);
  let alice: Person;
  let bob: Person;
  let browser: Browser;

  before(async () => {
    alice = await town.person('alice');
    bob = await town.person('bob');
    await town.staff('mod', 'Moderator');
    await town.staff('admin', 'Admin');
    browser = await signedIn(town.server, 'mod');
  });

  const cardsOf = (answer: Answer): string[] =>
    inMain(answer, 'a')
      .filter(({ attributes }) => attributes['class']?.includes('figure-card'))
      .map(({ text }) => text.replaceAll(/\s+/g, ' ').trim());

  it('shows what waits to whom may decide it', async () => {
    expect(cardsOf(await browser.open('/admin'))).to.deep.equal([
      '0 unresolved reports 0 assigned to you, 0 unassigned',
      '0 sign-ups to approve',
      '0 trends to review 0 hashtags, 0 links, 0 posts',
    ]);
    await settled(town, alice.post<Report>('/api/v1/reports', { account_id: bob.id }));
    await applicant(town, 'applicant');
    const cards = cardsOf(await (await signedIn(town.server, 'admin')).open('/admin'));
    expect(cards.slice(0, 3)).to.deep.equal([
      '1 unresolved report 0 assigned to you, 1 unassigned',
      '1 sign-up to approve',
      '0 undecided appeals',
    ]);
    expect((await (await signedIn(town.server, 'alice')).open('/admin')).status).to.equal(404);
  });

  it('shows measures, dimensions and retention as pictures with tables', async () => {
    await settled(town, alice.post('/api/v1/statuses', { status: 'Hello', language: 'de' }));
    const answer = await browser.open('/admin?days=7');
    const { all, one } = load(answer.body as string);
    const pictures = all('svg', { role: 'img' }).map(({ attributes }) => attributes['aria-label']);
    expect(pictures).to.deep.equal([
      ...['New users by day', 'Active users by day', 'Interactions by day', 'Reports filed by day'],
      ...['Reports resolved by day', 'Languages of posts', 'Apps that posted'],
    ]);
    expect(all('table')).to.have.length(pictures.length + 1);
    const text = one('main')?.text ?? '';
    for (const part of ['The last 7 days', 'German', 'Retention by month of sign-up'])
      expect(text).to.contain(part);
    for (const odd of ['?days=0', '?days=nonsense', '?days=100000'])
      expect((await browser.open(`/admin${odd}`)).body as string).to.contain('The last 30 days');
  });

  it(`costs at most ${AT_MOST} statements`, async () => {
    await browser.open('/admin');
    const names = await statementsOfPage(town.app.db, () => browser.open('/admin'));
    expect(names.length, names.join(', ')).to.be.within(1, AT_MOST);
  });
});

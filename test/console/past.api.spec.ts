import { expect } from 'chai';
import type { AdminPastBuild } from '#mastodon/schemas/index.ts';
import { alertOf, signedIn } from '../account-pages/support.ts';
import { type Browser, locationOf } from '../oauth/client.ts';
import { eventually } from '../support/eventually.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import { textIn } from '../web/notices-support.ts';
import { statementsOfPage } from './support.ts';

const AS_OF = '/api/v1/admin/as_of';

describeTown('The past in the console', function (town) {
  this.timeout(120_000);
  let owner: Person;
  let mod: Person;
  let browser: Browser;

  before(async () => {
    owner = await town.staff('owner', 'Owner');
    mod = await town.staff('mod', 'Moderator');
    await town.person('alice');
    browser = await signedIn(town.server, 'owner');
  });

  const list = (): Promise<AdminPastBuild[]> => ok(owner.get<AdminPastBuild[]>(AS_OF));

  it('is built by a form, shown with its size and the way to open it, and removed after a question', async () => {
    await browser.open('/admin/as-of');
    const begun = await browser.submit('/admin/as-of', { when: '5' });
    expect(locationOf(begun)).to.equal('/admin/as-of?done=past_begun');
    await eventually(async () => expect((await list())[0]).to.include({ position: '5', state: 'ready' }));
    expect((await list())[0]?.bytes).to.be.greaterThan(0);
    expect(textIn(await browser.open('/admin/as-of'))).to.contain('rookery serve --as-of 5');
    await browser.open('/admin/as-of/5/drop');
    expect(await list()).to.have.length(1);
    const gone = await browser.submit('/admin/as-of/5/drop', {});
    expect(locationOf(gone)).to.equal('/admin/as-of?done=past_removed');
    expect(await list()).to.deep.equal([]);
  });

  it('refuses points that are none, are in the future or past the head, and changes nothing', async () => {
    for (const [when, status] of [
      ['yesterday', 422],
      ['', 422],
      ['2999-01-01', 404],
      ['999999999', 404],
    ] as const) {
      expect((await owner.post(AS_OF, { when })).status, when).to.equal(status);
    }
    expect((await owner.delete(`${AS_OF}/7`)).status).to.equal(404);
    expect((await owner.delete(`${AS_OF}/x`)).status).to.equal(404);
    await browser.open('/admin/as-of');
    expect(alertOf(await browser.submit('/admin/as-of', { when: 'yesterday' }))).to.contain('When must be');
    expect(await list()).to.deep.equal([]);
  });

  it('is closed to users without a role, and to roles without the permission', async () => {
    for (const [username, status] of [
      ['alice', 404],
      ['mod', 403],
    ] as const) {
      const other = await signedIn(town.server, username);
      expect((await other.open('/admin/as-of')).status).to.equal(status);
      expect((await other.open('/admin/as-of/5/drop')).status).to.equal(status);
    }
    expect((await mod.post(AS_OF, { when: '5' })).status).to.equal(403);
    expect((await mod.delete(`${AS_OF}/5`)).status).to.equal(403);
  });

  it('costs at most six statements a page', async () => {
    const statements = await statementsOfPage(town.app.db, () => browser.open('/admin/as-of'));
    expect(statements.length, statements.join(' ')).to.be.at.most(6);
  });
});

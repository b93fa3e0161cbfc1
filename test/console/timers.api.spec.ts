import { expect } from 'chai';
import { SCHEDULES } from '#interfaces/web/admin/operation/schedules.ts';
import type { AdminTimer } from '#mastodon/schemas/index.ts';
import { timers } from '#reactors/index.ts';
import { signedIn } from '../account-pages/support.ts';
import type { Browser } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { eventually } from '../support/eventually.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import { withTimer } from './support.ts';

const PATH = '/api/v1/admin/timers';
const NAMES = timers.map(({ name }) => name).sort();
const HOUR = 3_600_000;

describeTown('The schedules of the server', function (town) {
  this.timeout(60_000);
  let owner: Person;
  let mod: Person;
  let browser: Browser;
  before(async () => {
    owner = await town.staff('owner', 'Owner');
    mod = await town.staff('mod', 'Moderator');
    await town.waitUntilIdle();
    browser = await signedIn(town.server, 'owner');
  });

  const list = () => ok(owner.get<AdminTimer[]>(PATH));
  const find = async (name: string): Promise<AdminTimer> =>
    (await list()).find((timer) => timer.name === name) ?? expect.fail(`no timer ${name}`);
  /** Returns the cells of a timer's row on the page. */
  const shown = async (name: string): Promise<string[]> => {
    const { body } = await browser.open('/admin/jobs');
    const { elements } = load(body as string);
    const heading = elements.findIndex((each) => each.name === 'th' && each.text.trim() === name);
    expect(heading, name).to.be.above(-1);
    const cells = elements.slice(heading).filter((each) => each.name === 'td');
    return cells.slice(0, 4).map(({ text }) => text.replaceAll(/\s+/g, ' ').trim());
  };
  const schedule = (text: string) =>
    owner.post('/api/v1/statuses', { status: text, scheduled_at: new Date(Date.now() + HOUR).toISOString() });

  it('have a few words on the page for every timer, and for no other', () => {
    expect(Object.keys(SCHEDULES).sort()).to.deep.equal(NAMES);
  });

  it('are all listed, with the last run of those that have run', async () => {
    await eventually(async () => expect((await list()).map(({ name }) => name)).to.deep.equal(NAMES));
    await eventually(async () => {
      const rankings = await find('rankings');
      expect(rankings).to.include({ state: 'running', failing: 0, error: null, failing_since: null });
      expect(rankings.fired).to.be.above(0);
      expect(Date.parse(rankings.next_at ?? '')).to.be.above(Date.parse(rankings.fired_at ?? ''));
    });
  });

  it('say when the next scheduled post is due, and that nothing is due before one is scheduled', async () => {
    await eventually(async () => expect((await find('scheduled-statuses')).next_at).to.equal(null));
    expect(await shown('scheduled-statuses')).to.deep.equal([
      'Publishes scheduled posts',
      'none due',
      'never',
      'Running',
    ]);
    const { json } = await schedule('later');
    const { scheduled_at } = json as { scheduled_at: string };
    await eventually(async () => expect((await find('scheduled-statuses')).next_at).to.equal(scheduled_at));
    expect((await shown('scheduled-statuses'))[1]).to.match(/^\d+ \w+ \d{4}, \d\d:\d\d UTC$/);
  });

  it('show the error of a timer that fails, and recover with it', async () => {
    const { db } = town.app;
    const query = db.query.bind(db);
    db.query = (statement, values) =>
      typeof statement !== 'string' && statement.name === 'scheduled_status_due'
        ? Promise.reject(new Error('The table is <gone>'))
        : query(statement, values);
    try {
      await schedule('much later');
      await eventually(async () => {
        const failing = await find('scheduled-statuses');
        expect(failing).to.include({ state: 'failing', error: 'The table is <gone>' });
        expect(failing.failing_since).to.be.a('string');
      });
      expect((await shown('scheduled-statuses'))[3]).to.equal('Failing');
      const page = load((await browser.open('/admin/jobs')).body as string);
      expect(page.all('h3').map(({ text }) => text)).to.include('scheduled-statuses is failing');
      expect(page.all('pre').map(({ text }) => text)).to.deep.equal(['The table is <gone>']);
    } finally {
      db.query = query;
    }
    await eventually(async () =>
      expect(await find('scheduled-statuses')).to.include({
        state: 'running',
        error: null,
        failing_since: null,
      }),
    );
    expect((await shown('scheduled-statuses'))[3]).to.equal('Running');
    expect((await browser.open('/admin/jobs')).body).to.not.include('is failing');
  });

  it('say that a run is overdue, and that no process runs them', async () => {
    const late = `new.next_at := now() - interval '5 minutes';`;
    await withTimer(town, 'polls', late, async () => {
      expect((await shown('polls')).slice(1)).to.deep.equal(['now', 'never', 'Late']);
    });
    await withTimer(town, 'polls', `new.seen_at := now() - interval '1 hour';`, async () => {
      expect((await shown('polls'))[3]).to.equal('Not running');
    });
  });

  it('are closed to staff without the permission, and to tokens without the scope', async () => {
    expect((await mod.get(PATH)).status).to.equal(403);
    expect((await (await owner.withScopes('read')).get(PATH)).status).to.equal(403);
    expect((await town.nobody.get(PATH)).status).to.be.within(401, 403);
  });
});

import { expect } from 'chai';
import type { AdminProjection, AdminProjectionRun } from '#mastodon/schemas/index.ts';
import { addRates } from '#storage/postgres/rebuild/projection-rates.ts';
import { startRun } from '#storage/postgres/rebuild/projection-runs.ts';
import { alertOf, doneOf, follow, headingOf, signedIn } from '../account-pages/support.ts';
import type { Browser } from '../oauth/client.ts';
import { locationOf } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { rookeryBeside } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import type { Answer } from '../support/server.ts';
import {
  ended,
  haltMarkers,
  mendMarkers,
  queueFor,
  setAside,
  statementsOfPage,
  withoutSending,
} from './support.ts';

const textOf = ({ body }: Answer): string =>
  (load(body as string).one('main')?.text ?? '').replaceAll(/\s+/g, ' ');

describeTown('The pages for those who operate the server', function (town) {
  this.timeout(60_000);
  let owner: Person;
  let browser: Browser;
  before(async () => {
    owner = await town.staff('owner', 'Owner');
    await town.staff('mod', 'Moderator');
    await town.person('alice');
    for (const text of ['one', 'two']) await owner.post('/api/v1/statuses', { status: text });
    await town.waitUntilIdle();
    browser = await signedIn(town.server, 'owner');
  });

  const open = async (path: string, status = 200): Promise<string> => {
    const answer = await browser.open(path);
    expect(answer.status, path).to.equal(status);
    return textOf(answer);
  };
  const confirm = async (path: string, fields: Record<string, string> = {}): Promise<Answer> => {
    expect((await browser.open(path)).status).to.equal(200);
    return browser.submit(path.replace(/\?.*/, ''), fields);
  };
  const lackedBy = async (name: string): Promise<string[]> => {
    const { lacks } = await ok(owner.get<AdminProjection>(`/api/v1/admin/projections/${name}`));
    return lacks.map(({ position }) => position);
  };
  const newestRun = async (name: string): Promise<AdminProjectionRun> =>
    (await ok(owner.get<AdminProjectionRun[]>(`/api/v1/admin/projections/runs?name=${name}`)))[0] ??
    expect.fail('no run');

  it('rebuild a projection after saying what it does, and show its progress and the digests at its end', async () => {
    expect(await open('/admin/projections'))
      .to.include('statuses')
      .and.include('Running');
    expect(await open('/admin/projections/statuses/rebuild')).to.include('reads the whole log');
    const shown = await follow(browser, await browser.submit('/admin/projections/statuses/rebuild'));
    expect(doneOf(shown)).to.include('Started');
    await ended(owner, (await newestRun('statuses')).id);
    const text = await open('/admin/projections/statuses');
    expect(text).to.include('They have the same rows as the old ones');
    expect(text).to.include('statuses').and.not.include('Different');
    expect(await open('/admin/projections')).to.include('All digests are equal');
  });

  it('compare a projection with the log, and show which tables and rows differ', async () => {
    const [post] = await town.app.projectionDb.query<{ id: string }>(
      `update statuses set sensitive = not sensitive where text = 'two' returning id::text`,
    );
    await confirm('/admin/projections/statuses/verify');
    await ended(owner, (await newestRun('statuses')).id);
    const text = await open('/admin/projections/statuses');
    expect(text).to.include('A rebuild fixes them').and.include('Different');
    expect(text).to.include(`id ${post?.id}`);
    expect(text).to.include('is changed: sensitive is true, the log says false');
    await confirm('/admin/projections/statuses/rebuild');
    await ended(owner, (await newestRun('statuses')).id);
  });

  it('draw the events a second of the last hour as a line with a table', async () => {
    await town.app.db.query('delete from durable.projection_rates');
    await addRates(town.app.db, { seconds: 15, events: { polls: 30 } });
    await town.app.db.query(`update durable.projection_rates set at = at - interval '5 minutes'`);
    await addRates(town.app.db, { seconds: 15, events: { polls: 3 } });
    const answer = await browser.open('/admin/projections/polls');
    expect(load(answer.body as string).all('path').length).to.be.at.least(2);
    expect(textOf(answer)).to.include('Show as a table');
  });

  it('show a run of any process, and cancel it', async () => {
    await startRun(town.app.db, { id: '1', name: 'polls', kind: 'rebuild' });
    await town.app.db.query(
      `update durable.projection_runs set position = 40, head = 100, events = 40, done = 40, total = 100,
         seen_at = started_at + interval '10 seconds' where id = 1`,
    );
    const text = await open('/admin/projections/polls');
    expect(text).to.include('40 of 100').and.include('about 15 s').and.include('40 of 100');
    expect(text).to.include('Building');
    const refused = await confirm('/admin/projections/statuses/verify');
    expect(alertOf(refused)).to.include('Another read model is being built');
    const shown = await follow(browser, await confirm('/admin/projections/runs/1/cancel'));
    expect(doneOf(shown)).to.include('next step');
    expect(textOf(shown)).to.include('Ending');
    await town.app.db.query(`update durable.projection_runs set state = 'cancelled' where id = 1`);
    expect(await open('/admin/projections/polls')).to.include('The live tables stayed as they were');
    const late = await confirm('/admin/projections/runs/1/cancel');
    expect(alertOf(late)).to.include('This build has ended');
  });

  it('say what a halted projection met and what to do, and leave the event out for a reason', async () => {
    const position = await haltMarkers(town, owner);
    expect(await open('/admin/projections')).to.include('Halted');
    const text = await open('/admin/projections/markers');
    expect(text).to.include('MarkersMoved').and.include(position).and.include('What to do');
    expect(text).to.include('violates check constraint');
    const blank = await confirm('/admin/projections/markers/skip', { reason: '  ' });
    expect(alertOf(blank)).to.include("Reason can't be blank");
    await open('/admin/projections/markers/skip?position=x', 422);
    expect(text).not.to.include('Last retry');
    await confirm('/admin/projections/markers/retry');
    await eventually(async () =>
      expect(await open('/admin/projections/markers')).to.match(/Last retry .*: it halted again/),
    );
    const { last_try: inVain } = await ok(owner.get<AdminProjection>('/api/v1/admin/projections/markers'));
    expect(inVain?.outcome).to.equal('rejected');
    const halted = await rookeryBeside(town.app, 'projections', 'list');
    expect(halted.stdout).to.match(/^markers .*halted at .*; retried at 20\S+: halted again$/m);
    await confirm('/admin/projections/markers/skip', { reason: 'A drill <b>' });
    await eventually(async () => expect(await open('/admin/projections')).not.to.include('Halted'));
    expect(await open('/admin/projections/markers')).to.include('A drill <b>');
    const unskip = `/admin/projections/markers/unskip?position=${position}`;
    const shown = await follow(browser, await confirm(unskip));
    expect(doneOf(shown)).to.include('The next rebuild processes the event again');
    const [missing, ...others] = await lackedBy('markers');
    expect([missing, others]).to.deep.equal([position, []]);
    expect(await open('/admin/projections')).to.include('Needs a rebuild');
    expect(await open('/admin/projections/markers'))
      .to.include('Some data is missing until a rebuild')
      .and.include(position)
      .and.not.include('Running');
    const listed = await rookeryBeside(town.app, 'projections', 'list');
    expect(listed.stdout).to.match(
      new RegExp(
        `^markers .*lacks ${position} MarkersMoved until: rookery projections rebuild markers$`,
        'm',
      ),
    );
    const looked = await rookeryBeside(town.app, 'doctor');
    expect(looked.stdout).to.match(/^projections +warning: .*rookery projections rebuild markers$/m);
    await confirm('/admin/projections/markers/rebuild');
    // New tables have no such constraint.
    expect((await ended(owner, (await newestRun('markers')).id)).state).to.equal('done');
    expect(await lackedBy('markers')).to.deep.equal([]);
    expect(await open('/admin/projections/markers'))
      .to.include('Running')
      .and.not.include('is missing');
  });

  it('show a projection that other handlers built, with the verb and the button that rebuild it', async () => {
    const builtBy = async () =>
      (await ok(owner.get<AdminProjection>('/api/v1/admin/projections/polls'))).built_by;
    expect(await builtBy()).to.deep.equal({ tables: 'this_code', handlers: 'this_code' });
    expect(await open('/admin/projections/polls')).not.to.include('Built by other code');
    await town.app.db.query(
      `update durable.projections set handlers_digest = 'another' where name in ('polls', 'lists')`,
    );
    expect(await builtBy()).to.deep.equal({ tables: 'this_code', handlers: 'other_code' });
    expect(await open('/admin/projections')).to.include('Needs a rebuild');
    expect(await open('/admin/projections/polls'))
      .to.include('Built by other code')
      .and.include('Older rows may differ');
    const listed = await rookeryBeside(town.app, 'projections', 'list');
    expect(listed.stdout).to.match(
      /^polls .*ok; its handlers changed since it was built: rookery projections rebuild polls$/m,
    );
    const looked = await rookeryBeside(town.app, 'doctor');
    expect(looked.stdout).to.match(
      /^projections +warning: handlers changed .*: rookery projections rebuild lists polls$/m,
    );
    const shown = await rookeryBeside(town.app, 'projections', 'show', 'polls');
    expect(shown.stdout).to.match(/^code +tables as in this version, handlers changed since it was built$/m);
    await confirm('/admin/projections/polls/rebuild');
    await ended(owner, (await newestRun('polls')).id);
    expect(await builtBy()).to.deep.equal({ tables: 'this_code', handlers: 'this_code' });
    const rebuilt = await rookeryBeside(town.app, 'projections', 'rebuild', 'lists');
    expect(rebuilt.code, rebuilt.stderr).to.equal(0);
    expect(await open('/admin/projections')).not.to.include('Needs a rebuild');
  });

  it('try the event that halted a projection again', async () => {
    await haltMarkers(town, owner);
    await mendMarkers(town);
    const shown = await follow(browser, await confirm('/admin/projections/markers/retry'));
    expect(doneOf(shown)).to.include('Retrying');
    await eventually(async () =>
      expect(await open('/admin/projections/markers'))
        .to.include('Running')
        .and.match(/Last retry .*: it took the event and continued/),
    );
    const listed = await rookeryBeside(town.app, 'projections', 'list');
    expect(listed.stdout).to.match(/^markers .*ok; retried at 20\S+: took the event$/m);
  });

  it('retry a dead letter, shown with its cause and its event', async () => {
    const id = await setAside(town, 'preview-cards');
    expect(await open('/admin/reactors')).to.include('The mail server said <no>');
    expect(await open('/admin/reactors?reactor=polls')).to.include('No failed events');
    const letter = `/admin/reactors/preview-cards/${id}`;
    expect(await open(letter))
      .to.include('StatusCreated')
      .and.include('Needs attention');
    const shown = await follow(browser, await confirm(`${letter}/retry`));
    expect(doneOf(shown)).to.include('Retrying');
    await eventually(async () => expect(await open('/admin/reactors')).to.include('No failed events'));
    await open(letter, 404);
    const none = await confirm('/admin/reactors/retry');
    expect([none.status, textOf(none)])
      .to.have.nested.property('[0]')
      .that.is.within(400, 422);
    await setAside(town, 'preview-cards');
    expect(locationOf(await confirm('/admin/reactors/retry?reactor=preview-cards'))).to.include(
      '/admin/reactors',
    );
    await eventually(async () => expect(await open('/admin/reactors')).to.include('No failed events'));
  });

  it('show jobs with their errors', async () => {
    expect(await open('/admin/jobs')).to.include('Jobs');
    await town.app.contextDependencies.services.jobs.enqueue('spec', {}, { after: 3_600 });
    expect(await open('/admin/jobs')).to.include('Scheduled');
  });

  it('show servers, send what waits for them, and give it up', async () => {
    await queueFor(town, 'slow.example');
    expect(await open('/admin/federation?state=down&order=slow&q=slow')).to.include('answers 503');
    expect(await open('/admin/federation?q=nobody')).to.include('No server matches');
    const host = '/admin/federation/slow.example';
    expect(await open(host))
      .to.include('Create')
      .and.include('1.5 s');
    await withoutSending(town, async () => {
      expect(doneOf(await follow(browser, await confirm(`${host}/retry`)))).to.include('sent now');
      const given = await follow(browser, await confirm(`${host}/give-up`));
      expect([doneOf(given), textOf(given)])
        .to.have.nested.property('[1]')
        .that.includes('No deliveries are waiting');
    });
    expect(alertOf(await confirm(`${host}/retry`))).to.include('Nothing waits for slow.example');
    await open('/admin/federation/nobody.example', 404);
    await open('/admin/federation?state=asleep', 422);
  });

  it('refuse what does not exist, and forms without a token', async () => {
    for (const path of ['projections/nope', 'projections/nope/rebuild', 'projections/runs/77/cancel'])
      await open(`/admin/${path}`, 404);
    await open('/admin/reactors/preview-cards/x', 404);
    const forged = await browser.post('/admin/projections/statuses/rebuild', {});
    expect(forged.status).to.be.within(400, 422);
  });

  const PAGES = [
    'projections',
    'projections/statuses',
    'projections/statuses/rebuild',
    'reactors',
    'jobs',
    'federation',
  ];
  for (const page of PAGES) {
    it(`cost at most six statements: ${page}`, async () => {
      await browser.open(`/admin/${page}`);
      const statements = await statementsOfPage(town.app.db, () => browser.open(`/admin/${page}`));
      expect(statements.length, statements.join(' ')).to.be.at.most(6);
    });
  }

  it('are unknown without a role, and closed to roles without the permission', async () => {
    const [alice, mod] = await Promise.all([signedIn(town.server, 'alice'), signedIn(town.server, 'mod')]);
    for (const page of PAGES) {
      expect((await alice.open(`/admin/${page}`)).status, page).to.equal(404);
      const refused = await mod.open(`/admin/${page}`);
      expect(refused.status, page).to.equal(403);
      expect(headingOf(refused)).not.to.equal(undefined);
    }
    expect((await mod.post('/admin/projections/statuses/rebuild', {})).status).to.be.within(400, 422);
  });
});

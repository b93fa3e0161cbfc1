import { expect } from 'chai';
import type {
  AdminDeadLetter,
  AdminHost,
  AdminJobs,
  AdminProjection,
  AdminProjectionRun,
  AdminReactor,
  AuditEntry,
} from '#mastodon/schemas/index.ts';
import { LOCKS } from '#storage/postgres/locks.ts';
import { addRates } from '#storage/postgres/rebuild/projection-rates.ts';
import { startRun } from '#storage/postgres/rebuild/projection-runs.ts';
import { signedIn } from '../account-pages/support.ts';
import { rookeryBeside } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import { textIn } from '../web/notices-support.ts';
import { ended, queueFor, setAside, withoutSending } from './support.ts';

const PROJECTIONS = '/api/v1/admin/projections';

describeTown('The endpoints for those who operate the server', function (town) {
  this.timeout(60_000);
  let owner: Person;
  let mod: Person;
  before(async () => {
    owner = await town.staff('owner', 'Owner');
    mod = await town.staff('mod', 'Moderator');
    for (const text of ['one', 'two', 'three']) await owner.post('/api/v1/statuses', { status: text });
    await town.waitUntilIdle();
  });

  const newestEntry = async (): Promise<AuditEntry | undefined> => {
    await town.waitUntilIdle();
    return (await ok(owner.get<AuditEntry[]>('/api/v1/admin/audit?limit=1')))[0];
  };
  const start = (name: string, kind: string) =>
    owner.post<AdminProjectionRun>(`${PROJECTIONS}/${name}/runs`, { kind });

  for (const kind of ['rebuild', 'verify'] as const) {
    it(`let a ${kind} go on by itself, with its progress, its digests and an entry of the audit`, async () => {
      const run = await ok(start('statuses', kind));
      expect([run.name, run.kind, run.state]).to.deep.equal(['statuses', kind, 'running']);
      const done = await ended(owner, run.id);
      expect([done.state, done.error]).to.deep.equal(['done', null]);
      expect(done.events).to.be.above(0);
      expect(done.position).to.equal(done.head);
      const digests = done.digests ?? [];
      expect(digests.map(({ table }) => table)).to.include('statuses');
      for (const { live, rebuilt } of digests) expect(rebuilt).to.equal(live);
      const listed = await ok(owner.get<AdminProjectionRun[]>(`${PROJECTIONS}/runs?name=statuses&limit=1`));
      expect(listed.map(({ id }) => id)).to.deep.equal([run.id]);
      const entry = await newestEntry();
      expect([entry?.action, entry?.targets[0]?.name]).to.deep.equal(['projection.run_started', 'statuses']);
    });
  }

  it('name the tables that a rebuild has mended', async () => {
    await town.app.projectionDb.query(`update statuses set plain = plain || '!' where text = 'two'`);
    const verified = await ended(owner, (await ok(start('statuses', 'verify'))).id);
    const different = (run: AdminProjectionRun): string[] =>
      (run.digests ?? []).filter(({ live, rebuilt }) => live !== rebuilt).map(({ table }) => table);
    expect(different(verified)).to.deep.equal(['statuses']);
    const rebuilt = await ended(owner, (await ok(start('statuses', 'rebuild'))).id);
    expect(different(rebuilt)).to.deep.equal(['statuses']);
    expect(different(await ended(owner, (await ok(start('statuses', 'verify'))).id))).to.deep.equal([]);
  });

  it('name the rows and columns that differ, in the report of a run and on the command line', async () => {
    const [post] = await town.app.db.query<{ id: string; plain: string }>(
      `update statuses set plain = plain || '!' where text = 'one' returning id::text, plain`,
    );
    const { id = '', plain = '' } = post ?? {};
    const difference = {
      name: 'plain',
      live: `${plain.length} characters`,
      rebuilt: `${plain.length - 1} characters`,
    };
    const rows = [{ key: { id }, kind: 'changed', columns: [difference] }];
    const run = await ended(owner, (await ok(start('statuses', 'verify'))).id);
    const reported = run.digests?.find(({ table }) => table === 'statuses');
    expect(reported?.rows).to.deep.equal(rows);
    const typed = await rookeryBeside(town.app, 'projections', 'verify', 'statuses');
    expect([typed.code, typed.stdout.split('\n')[1]]).to.deep.equal([
      2,
      `  id ${id} is changed: plain is ${difference.live}, the log says ${difference.rebuilt}`,
    ]);
    const json = await rookeryBeside(town.app, 'projections', 'verify', 'statuses', '--json');
    expect((JSON.parse(json.stdout) as { rows: unknown }).rows).to.deep.equal(rows);
    await ended(owner, (await ok(start('statuses', 'rebuild'))).id);
  });

  it('say how long the last build took, how large the tables are, and how many events a second came', async () => {
    await addRates(town.app.db, { seconds: 15, events: { statuses: 30 } });
    const shown = await ok(owner.get<AdminProjection>(`${PROJECTIONS}/statuses`));
    expect(shown.build_seconds).to.be.above(0);
    expect(shown.bytes).to.equal(shown.tables?.reduce((sum, { bytes }) => sum + bytes, 0));
    expect(shown.rates?.at(-1)?.events_per_second).to.be.above(0);
    const listed = await ok(owner.get<AdminProjection[]>(PROJECTIONS));
    expect(listed.find(({ name }) => name === 'statuses')?.events_per_second).to.be.above(0);
  });

  it('end a run that is cancelled, once, and refuse another one meanwhile', async () => {
    const held = { id: '1', name: 'polls', kind: 'verify' } as const;
    expect(await startRun(town.app.db, held)).to.equal(true);
    expect((await start('statuses', 'verify')).status).to.equal(409);
    const cancelled = await ok(owner.post<AdminProjectionRun>(`${PROJECTIONS}/runs/1/cancel`));
    expect([cancelled.state, cancelled.cancelling]).to.deep.equal(['running', true]);
    expect((await newestEntry())?.action).to.equal('projection.run_cancelled');
    await town.app.db.query(
      `update durable.projection_runs set seen_at = now() - interval '1 minute' where id = 1`,
    );
    const dead = await ok(owner.get<AdminProjectionRun>(`${PROJECTIONS}/runs/1`));
    expect(dead.state).to.equal('interrupted');
    const next = await ended(owner, (await ok(start('statuses', 'verify'))).id);
    expect(next.state).to.equal('done');
    expect((await owner.post(`${PROJECTIONS}/runs/1/cancel`)).status).to.equal(422);
    expect((await owner.post(`${PROJECTIONS}/runs/77/cancel`)).status).to.equal(404);
    expect((await start('nope', 'verify')).status).to.equal(404);
    expect((await start('statuses', 'burn')).status).to.be.within(400, 422);
  });

  it('end a rebuild that waits for another one when it is cancelled, and leave the tables alone', async () => {
    const before = await ok(owner.get<AdminProjection>(`${PROJECTIONS}/polls`));
    await town.app.projectionDb.transaction(async (lock) => {
      await lock.query(`select pg_advisory_xact_lock(${LOCKS.rebuild})`);
      const { id } = await ok(start('polls', 'rebuild'));
      await ok(owner.post(`${PROJECTIONS}/runs/${id}/cancel`));
      const run = await ended(owner, id);
      expect([run.state, run.digests, run.events]).to.deep.equal(['cancelled', null, 0]);
    });
    const after = await ok(owner.get<AdminProjection>(`${PROJECTIONS}/polls`));
    expect(after.built_at).to.equal(before.built_at);
  });

  it('tell how far a build of another process is, while that process lives', async () => {
    const note = {
      names: ['polls', 'markers'],
      position: '4',
      head: '10',
      done: 4,
      total: 10,
      estimated: false,
    };
    const { db, projectionDb } = town.app;
    const buildsNow = async () => {
      const models = await ok(owner.get<AdminProjection[]>(PROJECTIONS));
      return Object.fromEntries(models.filter(({ build }) => build).map(({ name, build }) => [name, build]));
    };
    await db.query(`create schema build_spec`);
    await db.query(`comment on schema build_spec is '${JSON.stringify(note)}'`);
    expect(await buildsNow(), 'a build whose process died').to.deep.equal({});
    await projectionDb.transaction(async (lock) => {
      await lock.query(`select pg_advisory_xact_lock(${LOCKS.rebuild})`);
      const build = { done: 4, total: 10, estimated: false };
      expect(await buildsNow()).to.deep.equal({ markers: build, polls: build });
      const browser = await signedIn(town.server, 'owner');
      expect(textIn(await browser.open('/admin/projections'))).to.match(/Building, 40 %/);
      expect(textIn(await browser.open('/admin/projections/polls'))).to.match(/Building, 40 %/);
    });
    await db.query('drop schema build_spec');
  });

  it('list reactors and dead letters, and retry them', async () => {
    const id = await setAside(town, 'preview-cards');
    const reactors = await ok(owner.get<AdminReactor[]>('/api/v1/admin/reactors'));
    expect(reactors.find(({ name }) => name === 'preview-cards')?.dead_letters).to.equal(1);
    const [letter] = await ok(
      owner.get<AdminDeadLetter[]>('/api/v1/admin/reactors/dead_letters?reactor=preview-cards'),
    );
    expect([letter?.event_id, letter?.retrying]).to.deep.equal([id, false]);
    const shown = await ok(
      owner.get<AdminDeadLetter>(`/api/v1/admin/reactors/preview-cards/dead_letters/${id}`),
    );
    expect(shown.event).to.have.nested.property('data.text', 'three');
    const path = '/api/v1/admin/reactors/dead_letters/retry';
    expect((await owner.post(path, { reactor: 'mails' })).status).to.equal(404);
    expect((await owner.post(path, { event_id: 'x' })).status).to.be.within(400, 422);
    expect(await ok(owner.post(path, { reactor: 'preview-cards' }))).to.deep.equal({ count: 1 });
    await eventually(async () =>
      expect(await ok(owner.get('/api/v1/admin/reactors/dead_letters'))).to.deep.equal([]),
    );
    expect((await newestEntry())?.action).to.equal('reactor.retried');
    expect((await owner.get(`/api/v1/admin/reactors/preview-cards/dead_letters/${id}`)).status).to.equal(404);
  });

  it('count jobs by kind and show their errors', async () => {
    await town.app.contextDependencies.services.jobs.enqueue('spec', { owner: '1' }, { after: 3_600 });
    const { kinds, jobs } = await ok(owner.get<AdminJobs>('/api/v1/admin/jobs?name=spec'));
    expect(kinds.find(({ name }) => name === 'spec')).to.include({ scheduled: 1, waiting: 0, running: 0 });
    expect(jobs.map(({ name, state }) => [name, state])).to.deep.equal([['spec', 'scheduled']]);
    await town.app.db.query(
      `update jobs.job set state = 'failed', output = '{"message":"It broke"}' where name = 'spec'`,
    );
    const failed = await ok(owner.get<AdminJobs>('/api/v1/admin/jobs?name=spec'));
    expect(failed.jobs[0]).to.include({ state: 'failed', error: 'It broke' });
  });

  it('list servers, retry what waits for them, and give it up', async () => {
    await queueFor(town, 'slow.example');
    const hosts = '/api/v1/admin/federation/hosts';
    const [listed] = await ok(owner.get<AdminHost[]>(`${hosts}?state=down&order=slow&q=SLOW`));
    expect(listed).to.include({
      host: 'slow.example',
      state: 'down',
      queued: 1,
      retrying: 1,
      average_ms: 1500,
    });
    expect(await ok(owner.get(`${hosts}?q=nobody`))).to.deep.equal([]);
    await withoutSending(town, async () => {
      const retried = await ok(owner.post<AdminHost>(`${hosts}/slow.example/retry`));
      expect(retried.retry_at).to.equal(null);
      expect((await newestEntry())?.action).to.equal('host.deliveries_retried');
      const given = await ok(owner.post<AdminHost>(`${hosts}/slow.example/give_up`));
      expect([given.queued, given.deliveries]).to.deep.equal([0, []]);
    });
    const entry = await newestEntry();
    expect([entry?.action, entry?.targets[0]?.name]).to.deep.equal([
      'host.deliveries_given_up',
      'slow.example',
    ]);
    expect((await owner.post(`${hosts}/slow.example/retry`)).status).to.equal(422);
    expect((await owner.post(`${hosts}/nobody.example/give_up`)).status).to.equal(404);
    expect((await owner.get(`${hosts}?state=asleep`)).status).to.be.within(400, 422);
  });

  it('are closed to staff without the permission', async () => {
    const paths = [`${PROJECTIONS}/runs`, '/api/v1/admin/reactors', '/api/v1/admin/jobs'];
    for (const path of [...paths, '/api/v1/admin/federation/hosts'])
      expect((await mod.get(path)).status, path).to.equal(403);
    expect((await mod.post(`${PROJECTIONS}/statuses/runs`, { kind: 'verify' })).status).to.equal(403);
    expect((await mod.post('/api/v1/admin/reactors/dead_letters/retry')).status).to.equal(403);
  });
});

import { expect } from 'chai';
import { rookeryBeside } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { describeTown, type Person } from '../support/people.ts';

/** An unhealthy server as its operator sees it. */
describeTown('The operator', function (town) {
  this.timeout(60_000);
  let alice: Person;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
  });

  const health = async (): Promise<{ status: number; body: unknown }> => {
    const response = await fetch(`${town.url}/health`, { headers: { accept: 'application/json' } });
    return { status: response.status, body: await response.json() };
  };
  const metric = async (name: string): Promise<string | undefined> => {
    const text = await (await fetch(`${town.url}/metrics`)).text();
    return text.split('\n').find((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  };

  it('sees in /health and /metrics that the log no longer matches its checkpoints', async () => {
    await alice.post('/api/v1/statuses', { status: 'Hello' });
    await town.waitUntilIdle();
    await town.app.transparencyLog.record();
    const change = (from: string, to: string): Promise<unknown> =>
      town.app.db.query(
        `update eventlog.events set metadata = replace(metadata, '"${from}"', '"${to}"') where position = 1`,
      );
    await change('command_id', 'command_no');
    expect(await health()).to.deep.equal({ status: 503, body: { status: 'DOWN', failing: ['history'] } });
    expect(await metric('log_contradicts_checkpoint')).to.equal('log_contradicts_checkpoint 1');
    await change('command_no', 'command_id');
    expect(await health()).to.deep.equal({ status: 200, body: { status: 'UP' } });
    expect(await metric('log_contradicts_checkpoint')).to.equal('log_contradicts_checkpoint 0');
  });

  it('sees that a read model is halted, repairs it, and resumes it without a restart', async () => {
    const { projectionDb: db } = town.app;
    // A row in the place of a new post makes the projection fail, like a faulty row would.
    await db.query('alter table readmodels.statuses add constraint broken check (id < 0) not valid');
    const { status } = await alice.post('/api/v1/statuses', { status: 'Into the void' });
    expect(status).to.equal(200);
    await eventually(async () =>
      expect(await health()).to.deep.equal({
        status: 200,
        body: { status: 'DEGRADED', halted: ['statuses'] },
      }),
    );
    expect(await metric('projection_halted{projection="statuses"}')).to.match(/ 1$/);
    expect(await metric('projection_failed{group="main"}')).to.match(/ 0$/);
    const refused = await alice.get<{ error: string }>('/api/v1/timelines/public');
    expect([refused.status, refused.json.error]).to.deep.equal([
      503,
      'The read model statuses is halted until the operator mends it',
    ]);
    expect((await alice.get('/api/v1/lists')).status).to.equal(200);
    const head = await town.app.log.head();
    // A post is shown from its event, so it needs no read model of posts.
    expect((await alice.post('/api/v1/statuses', { status: 'Meanwhile' })).status).to.equal(200);
    const listed = await rookeryBeside(town.app, 'projections', 'list');
    expect(listed.stdout).to.match(
      new RegExp(
        `^statuses +v\\d+ +main +\\d+ +[1-9]\\d* +[1-9]\\d* +halted at ${head} StatusCreated [0-9a-f-]{36}: .*violates check`,
        'm',
      ),
    );
    const inVain = await rookeryBeside(town.app, 'projections', 'retry');
    expect(inVain.code).to.equal(1);
    expect(inVain.stderr).to.match(/^statuses at \d+ StatusCreated [0-9a-f-]{36}: .*violates check/);

    await db.query('alter table readmodels.statuses drop constraint broken');
    const retried = await rookeryBeside(town.app, 'projections', 'retry');
    expect(retried).to.deep.equal({ code: 0, stdout: 'Going on: statuses\n', stderr: '' });
    // The runner of the server resumes as well.
    await alice.post('/api/v1/statuses', { status: 'Onto the page' });
    await town.waitUntilIdle();
    expect(await health()).to.deep.equal({ status: 200, body: { status: 'UP' } });
    const { json } = await alice.get<{ content: string }[]>(`/api/v1/accounts/${alice.id}/statuses`);
    expect(json.map(({ content }) => content)).to.include.members([
      '<p>Into the void</p>',
      '<p>Onto the page</p>',
    ]);
  });

  it('sees the lag of reactors, in positions and seconds', async () => {
    expect(await metric('reactor_lag_positions{reactor="erasures"}')).to.match(/ \d+$/);
    expect(await metric('reactor_lag_seconds{reactor="erasures"}')).to.match(/ [\d.]+$/);
  });
});

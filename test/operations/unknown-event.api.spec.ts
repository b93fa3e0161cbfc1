import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { projections } from '#projections/index.ts';
import { type Result, rookeryBeside } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { startTown, type Town } from '../support/people.ts';

/** As after a downgrade: the log contains an event whose type this version does not know. */
describe('The command line, with an event of an unknown type in the log', function () {
  this.timeout(60_000);
  let town: Town;
  let odd: string;
  before(async function () {
    this.timeout(120_000);
    town = await startTown();
    await town.person('alice');
    await rookery('audit', 'export');
    await town.waitUntilIdle();
    const newest = await town.app.store.readBack(undefined, 1);
    const { data, metadata, stream } = newest[0] ?? expect.fail('an empty log');
    const event = { id: randomUUID(), type: 'Odd', data, metadata };
    odd = String((await town.app.store.append(`${stream}0`, -1, [event])).position);
  });
  after(async () => {
    await town.app.db.query(`update eventlog.events set type = 'AuditExported' where type = 'Odd'`);
    await town.close();
  });

  const UNKNOWN = (): string =>
    `The event at position ${odd} is of the type Odd, which this version of Rookery does not know`;
  const rookery = (...args: string[]): Promise<Result> => rookeryBeside(town.app, ...args);

  const says = (text: string) =>
    text
      .trimEnd()
      .split(/[\r\n]/)
      .at(-1);

  it('halts each read model at it, and names them in /health and in the list', async () => {
    const names = projections.map(({ name }) => name).toSorted();
    await eventually(async () => {
      const response = await fetch(`${town.url}/health`, { headers: { Accept: 'application/json' } });
      expect(((await response.json()) as { halted?: string[] }).halted).to.deep.equal(names);
    });
    const { code, stdout } = await rookery('projections', 'list');
    expect(code).to.equal(0);
    const lines = stdout.split('\n').filter((line) => line.includes(`halted at ${odd} Odd `));
    expect(lines).to.have.length(names.length);
    expect(stdout).to.include(UNKNOWN());
  });

  const health = async (): Promise<unknown> =>
    (await fetch(`${town.url}/health`, { headers: { Accept: 'application/json' } })).json();

  it('goes on without it in each read model that skips it', async () => {
    const { readModels } = town.app.contextDependencies.services;
    const skip = { position: odd, event_id: 'x', event_type: 'Odd', reason: 'a downgrade' };
    for (const { name } of projections) if (name !== 'polls') await readModels.storeSkip(name, skip);
    await readModels.retry();
    await eventually(async () =>
      expect(await health()).to.deep.equal({ status: 'DEGRADED', halted: ['polls'] }),
    );
    await town.person('bob');
  });

  it('reports it in one line and exits with 1 in every verb that reads past it', async () => {
    for (const args of [
      ['log', 'events'],
      ['projections', 'retry'],
      ['projections', 'verify', 'polls'],
      ['projections', 'build', '--as-of', odd],
    ]) {
      const { code, stdout, stderr } = await rookery(...args);
      expect(code, `${args.join(' ')}: ${stderr}`).to.equal(1);
      if (args[0] !== 'log') expect(stdout, args.join(' ')).to.equal('');
      expect(says(stderr), args.join(' ')).to.include(UNKNOWN());
      expect(stderr, args.join(' ')).not.to.match(/^ +at /m);
    }
  });

  it('shows the past before it', async () => {
    const { code, stdout } = await rookery('projections', 'build', '--as-of', String(Number(odd) - 1));
    expect([code, stdout.trimEnd()]).to.deep.equal([0, `Built: as_of_${Number(odd) - 1}`]);
    await rookery('projections', 'as-of', 'drop', '--all');
  });

  it('is skipped and rebuilt past it', async () => {
    const { code, stderr } = await rookery('projections', 'skip', 'polls', odd, '--reason', 'a downgrade');
    expect([code, stderr]).to.deep.equal([0, '']);
    await eventually(async () => expect(await health()).to.deep.equal({ status: 'UP' }));
    const rebuilt = await rookery('projections', 'rebuild', 'polls');
    expect([rebuilt.code, rebuilt.stdout]).to.deep.equal([0, 'Rebuilt: polls\n']);
  });
});

import { expect } from 'chai';
import { rookeryBeside, type Result } from '../support/command-line.ts';
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
    const [row] = await town.app.db.query<{ position: string }>(
      `insert into eventlog.events
       select position + 1, stream || '0', revision, gen_random_uuid(), 'Odd', data, metadata
       from eventlog.events order by position desc limit 1 returning position`,
    );
    odd = row?.position ?? '';
  });
  after(async () => {
    await town.app.db.query(`update eventlog.events set type = 'AuditExported' where type = 'Odd'`);
    await town.close();
  });

  const rookery = (...args: string[]): Promise<Result> => rookeryBeside(town.app, ...args);

  it('reports it in one line and exits with 1 in every verb that reads past it', async () => {
    for (const args of [
      ['audit', 'export'],
      ['accounts', 'create', 'bob', '--email', 'bob@example.org'],
      ['projections', 'retry'],
      ['projections', 'verify', 'users'],
      ['projections', 'build', '--as-of', odd],
    ]) {
      const { code, stdout, stderr } = await rookery(...args);
      expect([code, stdout], `${args.join(' ')}: ${stderr}`).to.deep.equal([1, '']);
      const last = stderr
        .trimEnd()
        .split(/[\r\n]/)
        .at(-1);
      expect(last, args.join(' ')).to.include(
        `The event at position ${odd} is of the type Odd, which this version of Rookery does not know`,
      );
      expect(stderr, args.join(' ')).not.to.match(/^ +at /m);
    }
  });

  it('rebuilds up to it', async () => {
    const { code, stdout } = await rookery('projections', 'rebuild', 'users');
    expect([code, stdout]).to.deep.equal([0, 'Rebuilt: users\n']);
  });

  it('shows the past before it', async () => {
    const { code, stdout } = await rookery('projections', 'build', '--as-of', String(Number(odd) - 1));
    expect([code, stdout.trimEnd()]).to.deep.equal([0, `Built: as_of_${Number(odd) - 1}`]);
    await rookery('projections', 'as-of', 'drop', '--all');
  });

  it('reports halted read models in /health and in the list', async () => {
    await eventually(async () => expect((await fetch(`${town.url}/health`)).status).to.equal(503));
    const { code, stdout } = await rookery('projections', 'list');
    expect(code).to.equal(0);
    expect(stdout).to.include(`cannot read on behind ${Number(odd) - 1}: The event at position ${odd}`);
  });
});

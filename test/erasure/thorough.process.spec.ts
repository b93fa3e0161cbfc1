import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { copyCluster } from '../support/cluster.ts';
import { inTurn, type Result } from '../support/command-line.ts';
import { filesWith } from './traces.ts';

const CANARY = 'thoroughcanary';

describe('rookery accounts delete --thorough', function () {
  this.timeout(90_000);
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'rookery-thorough-'));
    await copyCluster(dataDir);
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  const rookery = (...args: string[]): Promise<Result> => inTurn(args, { DATA_DIR: dataDir });
  const filesWithCanary = (): Promise<string[]> =>
    filesWith(join(dataDir, 'postgres', 'cluster', 'base'), [CANARY]);

  it('leaves nothing of the account in the files of the database', async () => {
    const email = `${CANARY}@example.org`;
    await rookery('accounts', 'create', 'aspen', '--email', email, '--confirmed');
    expect(await filesWithCanary()).not.to.deep.equal([]);
    const done = await rookery('accounts', 'erase', 'aspen', '--yes', '--thorough');
    expect(done, done.stderr).to.include({ code: 0 });
    expect(done.stdout).to.match(
      /^OK, wrote \d+ tables anew\nThe next checkpoints of PostgreSQL recycle its write-ahead log; backups/,
    );
    expect(await filesWithCanary()).to.deep.equal([]);
    const verified = await rookery('projections', 'verify');
    expect(verified, verified.stderr).to.include({ code: 0 });
    expect(await rookery('log', 'verify')).to.include({ code: 1 });
    await rookery('log', 'checkpoint');
    expect(await rookery('log', 'verify')).to.include({ code: 0 });
  });

  it('completes an erasure that was decided before, by name and by ID, and says so when nothing is left', async () => {
    const email = `${CANARY}@example.org`;
    await rookery('accounts', 'create', 'birch', '--email', email, '--confirmed');
    const shown = await rookery('accounts', 'show', 'birch', '--json');
    const { id } = JSON.parse(shown.stdout) as { id: string };
    // Without a server no reactor carries it out.
    expect(await rookery('accounts', 'delete', 'birch', '--yes')).to.include({ code: 0 });
    expect(await filesWithCanary()).not.to.deep.equal([]);
    for (const name of ['birch', id, 'birch']) {
      const done = await rookery('accounts', 'delete', name, '--thorough', '--yes');
      expect(done, done.stderr).to.include({ code: 0 });
      expect(done.stdout).to.match(new RegExp(`^OK, @${name} was deleted before; wrote \\d+ tables anew`));
      expect(await filesWithCanary()).to.deep.equal([]);
    }
    const unknown = await rookery('accounts', 'delete', '1', '--thorough', '--yes');
    expect([unknown.code, unknown.stderr]).to.deep.equal([1, 'There is no account @1 here\n']);
  });
});

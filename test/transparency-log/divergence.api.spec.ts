import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { rookeryBeside } from '../support/command-line.ts';
import { describeTown } from '../support/people.ts';

describeTown('A log that was changed by hand', (town) => {
  let folder: string;
  let kept: string;
  let position: string;
  let size: number;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-divergence-'));
    kept = join(folder, 'kept.txt');
    const alice = await town.person('alice');
    await alice.post('/api/v1/statuses', { status: 'before' });
    await town.waitUntilIdle();
    const first = await rookery('checkpoint');
    await writeFile(join(folder, 'first.txt'), first.stdout);
    await alice.post('/api/v1/statuses', { status: 'after' });
    await town.waitUntilIdle();
    await rookery('checkpoint').then(({ stdout }) => writeFile(kept, stdout));
    size = Number((await readFile(kept, 'utf8')).split('\n')[1]);
    const [event] = await town.app.db.query<{ position: string }>(
      `select max(position)::text as position from eventlog.events where type = 'StatusCreated'`,
    );
    position = event?.position ?? '';
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const rookery = (...args: string[]) => rookeryBeside(town.app, 'log', ...args);
  const accept = (checkpoint: number, reason = 'A damaged event was repaired') =>
    rookery('accept-divergence', '--checkpoint', String(checkpoint), '--reason', reason);

  it('has nothing to accept while it agrees with its checkpoints', async () => {
    const refused = await accept(size);
    expect(refused).to.include({ code: 1, stdout: '' });
    expect(refused.stderr).to.match(/^The log agrees with its checkpoints/);
  });

  it('is not accepted by another checkpoint than the first that it contradicts', async () => {
    // The metadata of an event are not personal, and read models do not show the request.
    await town.app.db.query(
      `update eventlog.events set metadata = replace(metadata, '"correlation_id":"', '"correlation_id":"x')
       where position = $1`,
      [position],
    );
    const before = await town.events();
    const wrong = await accept(1);
    expect(wrong).to.include({ code: 64, stdout: '' });
    expect(wrong.stderr).to.include(`say --checkpoint ${size}`);
    expect(await accept(size, ' ')).to.include({ code: 64 });
    expect(await town.events()).to.equal(before);
    expect((await rookery('checkpoint')).code).to.equal(2);
    await rookery('verify');
    expect(await town.app.transparencyLog.assertUnaltered().catch((error: Error) => error.message)).to.match(
      /not what was recorded|are not those of/,
    );
  });

  it('is accepted with a reason, which every verifier sees', async () => {
    const done = await accept(size);
    expect(done, done.stderr).to.include({ code: 0 });
    expect(done.stdout).to.match(/^Accepted as divergence 1: the log of \d+ events is the one that counts/);
    const verified = await rookery('verify');
    expect(verified, verified.stderr).to.include({ code: 0 });
    expect(verified.stdout).to.match(
      new RegExp(
        `^Divergence 1, accepted on 20\\S+: the log contradicts the checkpoint of ${size} events: A damaged event was repaired\\nUnaltered: `,
      ),
    );
    await town.app.transparencyLog.assertUnaltered();
    expect((await rookery('checkpoint')).code).to.equal(0);
    const shown = await fetch(`${town.url}/.well-known/rookery/divergences`);
    expect(await shown.text()).to.match(/\ndivergence 1\n.*\nreason A damaged event was repaired\n\n— /s);
  });

  it('still contradicts what auditors kept, and says that the operator accepted that', async () => {
    const verified = await rookery('verify', '--checkpoint', kept);
    expect(verified.code).to.equal(2);
    expect(verified.stderr).to.match(
      /the operator accepted that on 20\S+ as divergence 1: A damaged event was repaired/,
    );
    expect(await rookery('verify', '--checkpoint', join(folder, 'first.txt'))).to.include({ code: 0 });
  });

  it('carries the divergence in its exports', async () => {
    const file = join(folder, 'export.ndjson');
    expect(await rookery('export', '--output', file)).to.include({ code: 0 });
    const key = (await rookery('key')).stdout.trim();
    const verified = await rookery('verify', '--file', file, '--key', key);
    expect(verified, verified.stderr).to.include({ code: 0 });
    expect(verified.stdout).to.match(/^Divergence 1, accepted on/);
    const forged = (await readFile(file, 'utf8')).replace('A damaged event', 'A harmless event');
    await writeFile(file, forged);
    expect((await rookery('verify', '--file', file, '--key', key)).stderr).to.match(/not signed by the key/);
  });

  it('has the acceptance in the audit log', async () => {
    const audit = await rookeryBeside(
      town.app,
      ...['audit', 'export', '--action', 'server.log_divergence_accepted'],
    );
    const entry = JSON.parse(audit.stdout) as { actor: { kind: string }; changes: { field: string }[] };
    expect(entry.actor.kind).to.equal('operator');
    expect(entry.changes.map(({ field }) => field)).to.include.members(['checkpoint', 'reason']);
  });

  it('does not hide later changes', async () => {
    await town.app.db.query(
      `update eventlog.events set metadata = replace(metadata, '"correlation_id":"x', '"correlation_id":"y')
       where position = $1`,
      [position],
    );
    const verified = await rookery('verify');
    expect(verified.code).to.equal(2);
    expect(verified.stderr).to.match(/are not those of the checkpoint|are not those of their stored hashes/);
    await town.app.db.query(
      `update eventlog.events set metadata = replace(metadata, '"correlation_id":"y', '"correlation_id":"x')
       where position = $1`,
      [position],
    );
    expect(await rookery('verify')).to.include({ code: 0 });
  });
});

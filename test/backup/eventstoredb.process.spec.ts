import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  type EventStoreDbDouble,
  startEventStoreDbDouble,
} from '../contracts/support/eventstoredb-double.ts';
import { healthOf, send, signUp } from '../support/api-client.ts';
import { inTurn } from '../support/command-line.ts';
import { freshDatabase } from '../support/database.ts';
import { discard, freshSettings, type Settings, startRookery } from '../support/process.ts';

describe('A backup of a server whose log is in EventStoreDB', function () {
  this.timeout(120_000);
  let double: EventStoreDbDouble;
  let settings: Settings;
  let folder: string;
  let backup: string;
  /** The position at which the log ends that is restored, and the number of its events. */
  let end: bigint;
  let kept: number;
  /** The number of events that were appended afterwards. */
  let lost: number;
  /** The token of a user who signed in before both backups. */
  let token: string;

  before(async () => {
    double = await startEventStoreDbDouble();
    folder = await mkdtemp(join(tmpdir(), 'rookery-esdb-backup-'));
    settings = await freshSettings({
      DATABASE_URL: await freshDatabase(),
      EVENTSTORE_URL: double.url,
      LOCAL_DOMAIN: 'rookery.example',
    });
    const server = await startRookery(settings);
    ({ token } = await signUp(server.url, settings['DATA_DIR'] ?? '', 'alice'));
    const post = (status: string) =>
      send(server.url, 'POST', '/api/v1/statuses', { token, body: { status } });
    expect((await post('in both backups')).status).to.equal(200);
    expect((await send(server.url, 'GET', '/api/v1/timelines/home', { token })).status).to.equal(200);
    await inTurn(['log', 'checkpoint'], settings);
    // The log is backed up here, the database after one more post.
    end = double.log.records.at(-1)?.position ?? 0n;
    expect((await post('after the backup of the log')).status).to.equal(200);
    backup = join(folder, 'backup');
    const made = await inTurn(['backup', backup], settings);
    expect(made, made.stderr).to.include({ code: 0 });
    expect(made.stdout).to.include('The event log is not in it');
    kept = ours((position) => position <= end);
    lost = ours((position) => position > end);
    expect(lost).to.be.greaterThan(0);
    expect(made.stdout).to.match(
      new RegExp(
        `^${backup}: as of .+Z; checkpoint of ${kept + lost} events, read models up to position \\d+$`,
        'm',
      ),
    );
    expect(made.stdout).not.to.match(/\b0 events/);
    await server.end();
    double.log.truncateAfter(end);
  });
  after(async () => {
    await double.kill();
    await discard(settings);
    await rm(folder, { recursive: true, force: true });
  });

  const ours = (isMeant: (position: bigint) => boolean): number =>
    double.log.records.filter(({ stream, position }) => !stream.startsWith('$') && isMeant(position)).length;
  const machine = async (more: Settings): Promise<Settings> => ({
    DATA_DIR: await mkdtemp(join(folder, 'machine-')),
    DATABASE_URL: await freshDatabase(),
    LOCAL_DOMAIN: 'rookery.example',
    PORT: settings['PORT'] ?? '',
    RATE_LIMITS: 'off',
    ...more,
  });

  it('is refused without its log and with the log of another server', async () => {
    const without = await inTurn(['restore', backup, '--no-erasures'], await machine({}));
    expect(without.code).to.equal(64);
    expect(without.stderr).to.include('restore EventStoreDB first');
    const empty = await startEventStoreDbDouble();
    const wrong = await inTurn(
      ['restore', backup, '--no-erasures'],
      await machine({ EVENTSTORE_URL: empty.url }),
    );
    await empty.kill();
    expect(wrong.code).to.equal(64);
    expect(wrong.stderr).to.include('not the one that the read models are made of');
  });

  it('is restored beside a log that ends earlier, with the read models of that log', async () => {
    const restored = await machine({ EVENTSTORE_URL: double.url });
    const done = await inTurn(['restore', backup, '--no-erasures'], restored);
    expect(done, done.stderr).to.include({ code: 0 });
    expect(done.stdout)
      .to.match(
        new RegExp(
          `^The log ends at position ${end}, after ${kept} events\\. The backup knew it up to \\d+\\.$`,
          'm',
        ),
      )
      .and.to.match(new RegExp(`^At least ${lost} of ${kept + lost} recorded events are not in it\\b`, 'm'))
      .and.to.match(/^Dropped: 1 checkpoint\(s\) .+\. Moved back to the end of the log: \d+ reactor\(s\)\.$/m)
      .and.to.match(new RegExp(`^Restored: position ${end}, as of `, 'm'));
    const server = await startRookery(restored);
    const home = await send(server.url, 'GET', '/api/v1/timelines/home', { token });
    expect((home.body as { content: string }[]).map(({ content }) => content)).to.deep.equal([
      '<p>in both backups</p>',
    ]);
    expect((await healthOf(server.url)).body.status).to.equal('UP');
    const again = await send(server.url, 'POST', '/api/v1/statuses', {
      token,
      body: { status: 'afterwards' },
    });
    expect(again.status).to.equal(200);
    await server.end();
    const rebuilt = await inTurn(['projections', 'rebuild', 'accounts'], restored);
    // No server runs, so the record of the rebuild itself waits for one.
    const events = ours(() => true) - 1;
    expect(rebuilt.stderr).to.match(new RegExp(`^Rebuilding: ${events} of ${events} events, `, 'm'));
    const listed = await inTurn(['projections', 'list'], restored);
    expect(listed.stdout).to.match(/^accounts +v\d+ +main +\d+ +1 +\d+ +ok$/m);
    const verified = await inTurn(['log', 'verify'], restored);
    expect(verified, verified.stderr).to.include({ code: 0 });
  });
});

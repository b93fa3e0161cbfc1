import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { RecordedEvent } from '#kernel/event.ts';
import {
  type EventStoreDbDouble,
  startEventStoreDbDouble,
} from '../contracts/support/eventstoredb-double.ts';
import { rookeryBeside } from '../support/command-line.ts';
import { startTown, type Town } from '../support/people.ts';

/** In EventStoreDB, positions have gaps, and the log can be read only from the position of an event. */
describe('The command line on a log in EventStoreDB', function () {
  this.timeout(60_000);
  let double: EventStoreDbDouble;
  let town: Town;
  let folder: string;
  let events: RecordedEvent[];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-esdb-'));
    double = await startEventStoreDbDouble();
    town = await startTown({ EVENTSTORE_URL: double.url });
    const alice = await town.person('alice');
    for (const text of ['one', 'two', 'three']) await alice.post('/api/v1/statuses', { status: text });
    await town.waitUntilIdle();
    events = await town.app.log.readAll(0n, 1_000);
  });
  after(async () => {
    await town.close();
    await double.kill();
    await rm(folder, { recursive: true });
  });

  const rookery = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await rookeryBeside(town.app, ...args);
    expect(code, stderr).to.equal(0);
    return stdout;
  };

  it('exports events from a position on, which verify', async () => {
    const key = (await rookery('log', 'key')).trim();
    const posts = events.filter(({ type }) => type === 'StatusCreated');
    for (const from of [events[0], ...posts]) {
      const file = join(folder, `from-${from?.position}.jsonl`);
      await rookery('log', 'export', '--from', String(from?.position), '--output', file);
      const [, first = ''] = (await readFile(file, 'utf8')).split('\n');
      expect(first).to.include(`"${from?.id}"`);
      await rookery('log', 'verify', '--file', file, '--key', key);
    }
  });

  it('traces a request from the position of its first event on', async () => {
    const event = events.findLast(({ type }) => type === 'StatusCreated');
    const { correlation_id } = event?.metadata ?? {};
    expect(await rookery('trace', correlation_id ?? '', '--since', String(event?.position))).to.include(
      'StatusCreated',
    );
  });
});

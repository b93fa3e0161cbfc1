import { expect } from 'chai';
import { idAt } from '#kernel/ids.ts';
import { deriveId } from '#storage/eventlog/execute.ts';
import { newestMoment } from '#storage/eventlog/newest-moment.ts';
import type { EventStore } from '#storage/eventlog/port.ts';
import { openPostgresEventStore } from '#storage/eventlog/postgres.ts';
import { freshDatabase } from '../support/database.ts';

const NOON = Date.parse('2026-11-30T12:00:00.000Z');
const HOUR = 3_600_000;
const YEAR = 366 * 24 * HOUR;

describe('The newest moment of the log', () => {
  let store: EventStore;
  let next = 0;

  beforeEach(async () => {
    store = await openPostgresEventStore(await freshDatabase());
  });
  afterEach(() => store.close());

  async function append(stream: string, { time = NOON, data = '{}', count = 1 } = {}): Promise<void> {
    const metadata = JSON.stringify({ time: new Date(time).toISOString() });
    const events = Array.from({ length: count }, () => {
      next += 1;
      return { id: deriveId(String(next)), type: 'Odd', data, metadata };
    });
    await store.append(stream, -1, events);
  }

  it('is 0 without events', async () => {
    expect(await newestMoment(store)).to.equal(0);
  });

  it('is the time of the newest event, if that is later than all ids', async () => {
    await append(`status-${idAt(NOON - HOUR)}`);
    expect(await newestMoment(store)).to.equal(NOON);
  });

  it('is that of the largest id, in the name of a stream or in an event, although the clock was set back', async () => {
    await append(`status-${idAt(NOON + HOUR)}`);
    await append('instance');
    expect(await newestMoment(store)).to.equal(NOON + HOUR);
    await append('interaction-1-2', { data: JSON.stringify({ id: idAt(NOON + 2 * HOUR) }) });
    await append('relationship-1-2', { data: JSON.stringify({ id: idAt(NOON) }) });
    expect(await newestMoment(store)).to.equal(NOON + 2 * HOUR);
  });

  it('is found behind events that have no id', async () => {
    await append(`status-${idAt(NOON + HOUR)}`);
    await append('instance', { count: 1_700 });
    expect(await newestMoment(store)).to.equal(NOON + HOUR);
  });

  it('is not that of a number that no clock has given', async () => {
    await append(`account-${idAt(NOON + 2 * YEAR)}`);
    await append('account-999999999999999999');
    await append('list-1', { data: 'not JSON' });
    await append('list-2', { data: JSON.stringify({ id: '9'.repeat(40) }) });
    await append('list-3', { data: JSON.stringify({ title: idAt(NOON + HOUR) }) });
    expect(await newestMoment(store)).to.equal(NOON);
  });
});

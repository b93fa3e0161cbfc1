import { expect } from 'chai';
import type { RecordedEvent } from '#kernel/event.ts';
import { eventsBehind } from '#storage/eventlog/lag.ts';
import type { EventLog } from '#storage/eventlog/port.ts';

/**
 * A log with an event at each of these positions. As in EventStoreDB, reads can only start after one of them.
 */
function logAt(positions: readonly bigint[]): Pick<EventLog, 'head' | 'readAll'> & { reads: () => number } {
  let reads = 0;
  return {
    reads: () => reads,
    head: () => Promise.resolve(positions.at(-1) ?? 0n),
    readAll: (after, limit) => {
      reads += 1;
      const start = after === 0n ? 0 : positions.indexOf(after) + 1;
      if (after !== 0n && start === 0) return Promise.reject(new Error('No event has this position'));
      return Promise.resolve(
        positions.slice(start, start + limit).map((position) => ({ position }) as RecordedEvent),
      );
    },
  };
}

const every = (step: number, count: number): bigint[] =>
  Array.from({ length: count }, (_, index) => BigInt((index + 1) * step));

describe('Events behind a position', () => {
  it('are counted exactly when they are few, however sparse their positions are', async () => {
    const log = logAt(every(700, 50));
    expect(await eventsBehind(log, [0n, 700n * 47n, 700n * 50n])).to.deep.equal([
      { events: 50, estimated: false },
      { events: 3, estimated: false },
      { events: 0, estimated: false },
    ]);
  });

  it('are estimated from the next thousand when they are many', async () => {
    const log = logAt(every(700, 5_000));
    expect(await eventsBehind(log, [0n])).to.deep.equal([{ events: 5_000, estimated: true }]);
  });

  it('are exact when positions are consecutive, however many there are', async () => {
    const log = logAt(every(1, 5_000));
    expect(await eventsBehind(log, [1_234n])).to.deep.equal([{ events: 3_766, estimated: false }]);
  });

  it('are looked up once for readers at the same position', async () => {
    const log = logAt(every(700, 10));
    await eventsBehind(log, [700n, 700n, 700n]);
    expect(log.reads()).to.equal(1);
  });

  it('are unknown when the log cannot be read from the position', async () => {
    expect(await eventsBehind(logAt(every(700, 10)), [5n])).to.deep.equal([undefined]);
  });
});

import { expect } from 'chai';
import { readWhen } from '#app/as-of/index.ts';
import { lastEventUntil } from '#storage/eventlog/find-event.ts';
import type { EventLog } from '#storage/eventlog/port.ts';

const START = Date.parse('2026-11-22T08:00:00.000Z');

/**
 * A log with events at these positions and seconds after the start. A log with gaps can be read only from the
 * position of an event.
 */
function logOf(events: readonly (readonly [position: number, second: number])[]) {
  let pages = 0;
  const isDense = events.every(([position], index) => position === index + 1);
  const log = {
    head: () => Promise.resolve(BigInt(events.at(-1)?.[0] ?? 0)),
    readAll: (after: bigint, limit: number) => {
      pages += 1;
      const known = events.some(([position]) => BigInt(position) === after);
      if (!isDense && after !== 0n && !known) throw new Error(`Nothing is at ${after}`);
      const page = events.filter(([position]) => BigInt(position) > after).slice(0, limit);
      return Promise.resolve(
        page.map(([position, second]) => ({
          position: BigInt(position),
          metadata: { time: new Date(START + second * 1_000).toISOString() },
        })),
      );
    },
  } as unknown as EventLog;
  return {
    at: async (second: number) => (await lastEventUntil(log, START + second * 1_000))?.position,
    pages: () => pages,
  };
}

describe('The position of a time', () => {
  it('is that of the last event until then', async () => {
    const { at } = logOf([
      [1, 0],
      [2, 10],
      [3, 10],
      [4, 20],
    ]);
    const found = await Promise.all([-1, 0, 9.999, 10, 19, 20, 1_000].map(at));
    expect(found).to.deep.equal([undefined, 1n, 1n, 3n, 3n, 4n, 4n]);
  });

  it('does not exist in an empty log', async () => {
    expect(await logOf([]).at(0)).to.equal(undefined);
  });

  it('is found in a long log by reading few pages', async () => {
    const events = Array.from({ length: 20_000 }, (_, n) => [n + 1, n] as const);
    for (const second of [0, 1, 99, 100, 101, 9_999, 10_000, 19_898, 19_899, 19_900, 19_998, 19_999]) {
      const { at, pages } = logOf(events);
      expect(await at(second + 0.5), String(second)).to.equal(BigInt(second + 1));
      expect(pages()).to.be.lessThan(25);
    }
  });

  it('is found when positions have gaps', async () => {
    const events = Array.from({ length: 2_500 }, (_, n) => [7 + n * 1_000, n] as const);
    const { at } = logOf(events);
    const found = await Promise.all([-1, 0, 999, 1_000, 2_499, 9_999].map(at));
    expect(found).to.deep.equal([undefined, 7n, 999_007n, 1_000_007n, 2_499_007n, 2_499_007n]);
  });

  it('precedes the first later event, even when some events were recorded late', async () => {
    // Every tenth event bears the time of an hour ago, like a retried request with its Idempotency-Key.
    const events = Array.from({ length: 2_000 }, (_, n) => [n + 1, n % 10 === 9 ? n - 3_600 : n] as const);
    const { at } = logOf(events);
    expect(await at(1_204)).to.equal(1_205n);
    // Event 1210 bears an earlier time and is the last one before a later time.
    expect(await at(1_208)).to.equal(1_210n);
  });
});

describe('A point of the past given as text', () => {
  it('is a position, a time, or a date, in UTC where no zone is written', () => {
    expect(readWhen('120')).to.deep.equal({ position: 120n });
    expect(readWhen('2026-11-22T08:00:00Z')).to.deep.equal({ time: START });
    expect(readWhen('2026-11-22T09:00:00.500+01:00')).to.deep.equal({ time: START + 500 });
    expect(readWhen('2026-11-22 08:00')).to.deep.equal({ time: START });
    expect(readWhen('22 Nov 2026, 08:00 UTC')).to.deep.equal({ time: START });
    expect(readWhen('2026-11-22')).to.deep.equal({ time: Date.parse('2026-11-22T00:00:00Z') });
  });

  it('is refused in any other form', () => {
    const wrong = [
      '',
      'yesterday',
      '-1',
      '1.5',
      '02/11/2026',
      '2026-11-22T08',
      '2026-02-30',
      '1e3',
      ' 1',
      '9'.repeat(19),
    ];
    expect(wrong.filter((text) => readWhen(text) !== undefined)).to.deep.equal([]);
  });
});

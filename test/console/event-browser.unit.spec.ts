import { expect } from 'chai';
import { positionAround } from '#adapters/event-browser/pages.ts';
import type { StoredEvent } from '#storage/eventlog/port.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const HEAD = 1_000_000n;
const timeAt = (position: bigint): string => new Date(START + Number(position) * 1_000).toISOString();

describe('The place of a time in the log', () => {
  let reads = 0;
  const log = {
    head: () => Promise.resolve(HEAD),
    find: (position: bigint) => {
      reads += 1;
      const metadata = JSON.stringify({ time: timeAt(position), command_id: 'c', correlation_id: 'c' });
      return Promise.resolve({ position, metadata } as StoredEvent);
    },
  };

  it('is found in some twenty reads, and never before the time', async () => {
    for (const wanted of [1n, 700n, 333_333n, 999_999n]) {
      reads = 0;
      const around = (await positionAround(log, timeAt(wanted))) ?? 0n;
      expect(around >= wanted && around <= wanted + 1_001n, `${around} for ${wanted}`).to.equal(true);
      expect(reads).to.be.at.most(12);
    }
  });

  it('is the end of the log for a time after it, and unknown where positions have gaps', async () => {
    expect((await positionAround(log, '2999-01-01T00:00:00.000Z')) ?? 0n).to.equal(HEAD + 500n);
    const gaps = { ...log, find: () => Promise.resolve(undefined) };
    expect(await positionAround(gaps, timeAt(5n))).to.equal(undefined);
  });
});

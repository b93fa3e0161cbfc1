import { expect } from 'chai';
import { countEvents, percentOf } from '#kernel/event-count.ts';

describe('Progress in events', () => {
  it('is exact when positions are consecutive', () => {
    expect(countEvents({ position: 2_000n, head: 5_000n, events: 2_000 })).to.deep.equal({
      done: 2_000,
      total: 5_000,
      estimated: false,
    });
    expect(countEvents({ position: 3_000n, head: 5_000n, events: 1_000, from: 2_000n })).to.deep.equal({
      done: 3_000,
      total: 5_000,
      estimated: false,
    });
  });

  it('estimates the total when positions are bytes', () => {
    expect(countEvents({ position: 400_000n, head: 1_000_000n, events: 1_000 })).to.deep.equal({
      done: 1_000,
      total: 2_500,
      estimated: true,
    });
  });

  it('estimates the events before an aborted build', () => {
    const resumed = { position: 600_000n, head: 1_000_000n, events: 500, from: 400_000n };
    expect(countEvents(resumed)).to.deep.equal({ done: 1_500, total: 2_500, estimated: true });
  });

  it('is exact at the end, whatever the positions are', () => {
    expect(countEvents({ position: 1_000_000n, head: 1_000_000n, events: 2_345 })).to.deep.equal({
      done: 2_345,
      total: 2_345,
      estimated: false,
    });
  });

  it('is unknown before the first event', () => {
    expect(countEvents({ position: 0n, head: 900n, events: 0 })).to.deep.equal({
      done: 0,
      total: 0,
      estimated: true,
    });
  });

  it('is a percentage of the positions', () => {
    expect(percentOf({ position: 250n, head: 1_000n })).to.equal(25);
    expect(percentOf({ position: 0n, head: 0n })).to.equal(100);
  });
});

import { expect } from 'chai';
import type { StoredEvent } from '#storage/eventlog/port.ts';
import { Tail } from '#storage/eventlog/tail.ts';

const event = (position: number, data = '{}'): StoredEvent => ({
  position: BigInt(position),
  stream: `s-${position}`,
  revision: 0,
  id: `id-${position}`,
  type: 'Written',
  data,
  metadata: '{}',
});
const events = (from: number, to: number): StoredEvent[] =>
  Array.from({ length: to - from + 1 }, (_, index) => event(from + index));
const positions = (read: StoredEvent[] | undefined): number[] | undefined =>
  read?.map(({ position }) => Number(position));

describe('The in-memory tail of the log', () => {
  it('returns the events after a position, if it holds all of them', () => {
    const tail = new Tail(4n);
    expect(tail.read(4n, 10)).to.equal(undefined);
    tail.push(events(5, 7));
    tail.push(events(8, 9));
    expect(positions(tail.read(4n, 10))).to.deep.equal([5, 6, 7, 8, 9]);
    expect(positions(tail.read(6n, 2))).to.deep.equal([7, 8]);
    expect(tail.read(3n, 10)).to.equal(undefined);
    expect(tail.read(9n, 10)).to.equal(undefined);
  });

  it('holds only the events after the position at which it starts again', () => {
    const tail = new Tail();
    tail.push(events(1, 3));
    tail.restart(4n);
    expect(tail.newest).to.equal(4n);
    tail.push(events(5, 6));
    expect(tail.read(2n, 10)).to.equal(undefined);
    expect(positions(tail.read(4n, 10))).to.deep.equal([5, 6]);
  });

  it('knows the positions of its events and the one before them, whatever lies between', () => {
    const tail = new Tail(10n);
    tail.push([event(20), event(35)]);
    const known = [9n, 10n, 11n, 20n, 21n, 35n, 36n].filter((position) => tail.has(position));
    expect(known).to.deep.equal([10n, 20n, 35n]);
    expect(positions(tail.read(11n, 10))).to.deep.equal([20, 35]);
    expect(positions(tail.read(20n, 10))).to.deep.equal([35]);
    expect([tail.after, tail.newest]).to.deep.equal([10n, 35n]);
  });

  it('keeps events that a reader has not read, and drops those that all have read', () => {
    const tail = new Tail();
    const [fast, slow] = [{ position: 0n }, { position: 0n }];
    tail.readers.add(fast).add(slow);
    tail.push(events(1, 4));
    [fast.position, slow.position] = [4n, 2n];
    tail.push(events(5, 6));
    expect(positions(tail.read(2n, 10))).to.deep.equal([3, 4, 5, 6]);
    expect(tail.read(1n, 10)).to.equal(undefined);
    tail.readers.delete(slow);
    tail.push(events(7, 7));
    expect(positions(tail.read(4n, 10))).to.deep.equal([5, 6, 7]);
    expect(tail.read(3n, 10)).to.equal(undefined);
    fast.position = 7n;
    tail.push(events(8, 9));
    expect(positions(tail.read(7n, 10))).to.deep.equal([8, 9]);
  });

  it('keeps a limited number of the newest events for a reader that is far behind', () => {
    const tail = new Tail(10n);
    tail.readers.add({ position: 0n });
    for (let at = 11; at < 6_011; at += 10) tail.push(events(at, at + 9));
    const kept = tail.read(5_500n, 10_000);
    expect(kept).to.have.length(510);
    expect(tail.read(3_000n, 1)).to.equal(undefined);
    const large = new Tail();
    large.push([event(1), event(2, 'x'.repeat(16_000_001))]);
    expect(large.read(0n, 1)).to.equal(undefined);
    expect(positions(large.read(1n, 1))).to.deep.equal([2]);
  });
});

import { expect } from 'chai';
import type { RecordedEvent } from '#kernel/event.ts';
import type { Handler } from '#kernel/projection.ts';
import { planBatches } from '#storage/postgres/projector/batch-plan.ts';

const apply = (): Promise<void> => Promise.resolve();
const key = ({ data }: RecordedEvent): string[] => [data as string];
const handlers = new Map<string, Handler>([
  ['Made', { keys: key, apply }],
  ['Gone', { keys: key, apply }],
  ['Counted', { keys: key, additive: true, apply }],
  ['Looked', { keys: () => [], reads: key, apply }],
  ['Barrier', { apply }],
]);
let position = 0n;
const event = (type: string, data: string): RecordedEvent => {
  position += 1n;
  const metadata = { time: '2026-11-21T08:00:00.000Z', command_id: 'c', correlation_id: 'r' };
  return { position, stream: data, revision: 0, id: String(position), type, data, metadata };
};
const plan = (...events: RecordedEvent[]): string[] =>
  planBatches(events, handlers).map(({ events: run }) =>
    run.map(({ type, data }) => `${type} ${String(data)}`).join(', '),
  );

/** The changes of a key in order, with the readers between two of them in any order. */
const seenBy = (events: readonly RecordedEvent[]): string[] => {
  const changes: string[] = [];
  let readers: string[] = [];
  for (const { id, type } of events) {
    if (type === 'Looked') readers.push(id);
    else {
      changes.push(...readers.toSorted(), id);
      readers = [];
    }
  }
  return [...changes, ...readers.toSorted()];
};

describe('Cutting a batch into runs', () => {
  it('collects events of one type whose keys differ, whatever events are between them', () => {
    const batch = [event('Made', 'a'), event('Gone', 'x'), event('Made', 'b'), event('Gone', 'y')];
    expect(plan(...batch)).to.deep.equal(['Made a, Made b', 'Gone x, Gone y']);
  });

  it('keeps the order of events that share a key', () => {
    const batch = [event('Made', 'a'), event('Gone', 'a'), event('Made', 'a'), event('Made', 'b')];
    expect(plan(...batch)).to.deep.equal(['Made a', 'Gone a', 'Made a, Made b']);
  });

  it('never puts two events of one key into a run, unless their handler is additive', () => {
    expect(plan(event('Made', 'a'), event('Made', 'a'))).to.have.length(2);
    expect(plan(event('Counted', 'a'), event('Counted', 'a'))).to.have.length(1);
  });

  it('keeps the order of a change and of what reads it, and no other', () => {
    const batch = [
      event('Looked', 'a'),
      event('Made', 'b'),
      event('Looked', 'a'),
      event('Made', 'a'),
      event('Looked', 'a'),
    ];
    expect(plan(...batch)).to.deep.equal(['Looked a, Looked a', 'Made b, Made a', 'Looked a']);
  });

  it('moves no event over a barrier', () => {
    const batch = [event('Made', 'a'), event('Barrier', ''), event('Made', 'b'), event('Barrier', '')];
    expect(plan(...batch)).to.deep.equal(['Made a', 'Barrier ', 'Made b', 'Barrier ']);
  });

  it('leaves out events without a handler', () => {
    expect(plan(event('Unknown', 'a'))).to.deep.equal([]);
  });

  it('gives every random batch the result of applying one event after another', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (let round = 0; round < 300; round += 1) {
      const types = ['Made', 'Gone', 'Counted', 'Looked', 'Barrier'];
      const batch = Array.from({ length: 40 }, () => {
        const type = types[random(10) === 0 ? 4 : random(4)] ?? 'Made';
        return event(type, type === 'Barrier' ? '' : 'abcdefgh'.charAt(random(8)));
      });
      const planned = planBatches(batch, handlers).flatMap(({ events }) => events);
      expect(planned).to.have.length(batch.length);
      for (const letter of 'abcdefgh') {
        const ofKey = (events: RecordedEvent[]) =>
          seenBy(events.filter(({ type, data }) => data === letter || type === 'Barrier'));
        expect(ofKey(planned)).to.deep.equal(ofKey(batch));
      }
    }
  });
});

import { expect } from 'chai';
import { Examination, type Kept, type Verdict } from '#operations/transparency-log/examination.ts';
import { leafOf } from '#operations/transparency-log/leaf.ts';
import type { StoredEvent } from '#storage/eventlog/port.ts';
import { leafHash, treeHash } from './auditor.ts';
import { CHANGES, dice, eventsUpTo } from './changes.ts';

const whole = eventsUpTo(30);
const kept = [13, 30].map((size): Kept => ({
  size,
  root: treeHash(whole.slice(0, size).map((event) => leafHash(leafOf(event)))),
  source: 'kept',
}));

function examine(events: readonly StoredEvent[]): Verdict {
  const examination = new Examination(kept);
  for (const event of events) examination.take(leafHash(leafOf(event)), event.position);
  return examination.end();
}

describe('The examination of a log', () => {
  it('finds no problem in an unchanged log, and counts the events after the last checkpoint', () => {
    expect(examine(whole)).to.include({ events: 30, agreed: 2, uncovered: 0, problem: undefined });
    expect(examine(eventsUpTo(34))).to.include({ events: 34, agreed: 2, uncovered: 4, problem: undefined });
  });

  it('detects 10,000 of 10,000 random changes', function () {
    this.timeout(60_000);
    const roll = dice(4);
    const changes = Object.entries(CHANGES);
    const missed: string[] = [];
    for (let round = 0; round < 10_000; round += 1) {
      const [name, change] = changes[round % changes.length]!;
      if (examine(change(whole, roll)).problem === undefined) missed.push(`${name}, round ${round}`);
    }
    expect(missed).to.deep.equal([]);
  });

  it('names the events between the last matching checkpoint and the first that differs', () => {
    const edit = (n: number): StoredEvent[] => whole.with(n, { ...whole[n]!, type: 'Other' });
    expect(examine(edit(4)).problem).to.equal(
      'The events at positions 1 to 13 are not those of the checkpoint of 13 events (kept)',
    );
    expect(examine(edit(20)).problem).to.equal(
      'The events at positions 14 to 30 are not those of the checkpoint of 30 events (kept)',
    );
    expect(examine(whole.slice(0, 20)).problem).to.equal(
      'The log ends after 20 events, at position 20; the checkpoint of 30 events (kept) has 10 more',
    );
    expect(examine([]).problem).to.match(/^The log ends after 0 events; the checkpoint of 13 events/);
  });
});

import { expect } from 'chai';
import { idGenerator, timeOfId } from '#kernel/ids.ts';
import { steadyClock } from '#kernel/steady-clock.ts';

const NOON = Date.parse('2026-11-30T12:00:00.000Z');
const HOUR = 3_600_000;

describe('A steady clock', () => {
  let time = NOON;
  const machine = (): number => time;
  beforeEach(() => void (time = NOON));

  it('shows the time of the machine', () => {
    const clock = steadyClock(machine, NOON - HOUR);
    expect([clock.now(), clock.ahead()]).to.deep.equal([NOON, 0]);
    time += 1_234;
    expect([clock.now(), clock.ahead()]).to.deep.equal([NOON + 1_234, 0]);
  });

  it('goes on at half speed after the clock of the machine was set back, until that one is there', () => {
    const clock = steadyClock(machine);
    time = NOON - HOUR;
    expect([clock.now(), clock.ahead()]).to.deep.equal([NOON, HOUR]);
    time += HOUR;
    expect([clock.now(), clock.ahead()]).to.deep.equal([NOON + HOUR / 2, HOUR / 2]);
    time += HOUR;
    expect([clock.now(), clock.ahead()]).to.deep.equal([NOON + HOUR, 0]);
    time += HOUR;
    expect([clock.now(), clock.ahead()]).to.deep.equal([NOON + 2 * HOUR, 0]);
  });

  it('never goes back, however often the clock of the machine is set', () => {
    const clock = steadyClock(machine, NOON + HOUR);
    let last = clock.now();
    expect(last).to.equal(NOON + HOUR);
    for (const step of [1, -HOUR, 5, -1, 3 * HOUR, -4 * HOUR, 1, 1, HOUR]) {
      time += step;
      const next = clock.now();
      expect(next).to.be.at.least(last);
      last = next;
    }
  });

  it('lets two processes that are behind draw ids in the order of time, and different ones', () => {
    const [one, other] = [1, 2].map(() => idGenerator(steadyClock(machine, NOON + HOUR).now)) as [
      () => string,
      () => string,
    ];
    const ids: string[] = [];
    for (let turn = 0; turn < 100; turn += 1) {
      ids.push(one());
      time += 10;
      ids.push(other());
      time += 10;
    }
    expect(ids.every((id) => timeOfId(id) >= NOON + HOUR)).to.equal(true);
    expect(ids).to.deep.equal(ids.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)));
    expect(new Set(ids).size).to.equal(ids.length);
  });
});

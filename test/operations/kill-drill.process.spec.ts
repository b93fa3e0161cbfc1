import { expect } from 'chai';
import { drillKills } from '../support/kill-drill.ts';

/** `bench/kill-drill.ts` does it 200 times. */
const KILLS = 8;

describe('A server whose PostgreSQL is killed again and again', function () {
  this.timeout(180_000);

  it('goes on by itself, and loses and doubles nothing', async () => {
    const dice = [0.1, 0.9, 0.5, 0.3, 0.7, 0.2, 0.6, 0.05, 0.8, 0.4];
    let turn = 0;
    const random = (): number => dice[(turn += 1) % dice.length] ?? 0.5;
    const report = await drillKills({ kills: KILLS, random });
    expect(report.acknowledged).to.be.greaterThan(KILLS);
    expect(report).to.deep.include({ lost: [], doubled: [], unexpected: [], differences: [] });
  });
});

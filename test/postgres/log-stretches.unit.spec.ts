import { expect } from 'chai';
import { joinStretches, leftAfter } from '#storage/postgres/rebuild/log-stretches.ts';

const stretch = (after: bigint, until: bigint) => ({ after, until });

describe('Stretches of the log', () => {
  it('are joined where they overlap or touch, in the order of the log', () => {
    expect(
      joinStretches([stretch(50n, 60n), stretch(0n, 10n), stretch(10n, 20n), stretch(5n, 8n)]),
    ).to.deep.equal([stretch(0n, 20n), stretch(50n, 60n)]);
  });

  it('are left out when they are empty or end before they begin', () => {
    expect(joinStretches([stretch(7n, 7n), stretch(9n, 3n)])).to.deep.equal([]);
  });

  it('count what is after a position, without the gaps between them', () => {
    const joined = [stretch(0n, 20n), stretch(50n, 60n)];
    expect([0n, 15n, 20n, 40n, 55n, 60n, 99n].map((position) => leftAfter(joined, position))).to.deep.equal([
      30n,
      15n,
      10n,
      10n,
      5n,
      0n,
      0n,
    ]);
  });
});

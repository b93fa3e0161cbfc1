import { expect } from 'chai';
import { compareTurns, parseTable } from '../../bench/against.ts';
import { renderTable, type Row } from '../../bench/table.ts';

const turns = (before: Row, after: Row) => [
  ...parseTable(renderTable([before]), 'before', 1),
  ...parseTable(renderTable([after]), 'after', 1),
];

describe('The comparison of two revisions', () => {
  it('divides the rate after by the rate before', () => {
    const [row] = compareTurns(turns({ name: 'home', perSecond: 200 }, { name: 'home', perSecond: 180 }));
    expect(row).to.include({ row: 'home', ratio: 0.9, worse: true });
  });

  it('divides the median latency before by the one after where a row has no rate', () => {
    const [row] = compareTurns(
      turns({ name: 'media', p50: 20, p99: 40 }, { name: 'media', p50: 10, p99: 50 }),
    );
    expect(row).to.include({ row: 'media', ratio: 2, p99Ratio: 1.25, worse: false });
  });

  it('tolerates a loss of five percent', () => {
    const [row] = compareTurns(turns({ name: 'home', perSecond: 100 }, { name: 'home', perSecond: 95 }));
    expect(row).to.include({ ratio: 0.95, worse: false });
  });

  it('leaves out rows that only one revision has', () => {
    expect(
      compareTurns(turns({ name: 'home', perSecond: 1 }, { name: 'public', perSecond: 1 })),
    ).to.deep.equal([]);
  });
});

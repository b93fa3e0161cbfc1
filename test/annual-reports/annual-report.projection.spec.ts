import { expect } from 'chai';
import { annualReport, decideGenerated, decideRead } from '#commands/annual-reports/annual-report.ts';
import {
  type AnnualReportData,
  type AnnualReportEvent,
  AnnualReportGenerated,
} from '#events/annual-reports.ts';
import { annualReportYear } from '#mastodon/annual-report-window.ts';
import { annualReports } from '#projections/annual-reports.ts';
import { archetypeOf } from '#queries/annual-reports/index.ts';
import type { Database } from '#storage/postgres/db.ts';
import { given } from '../support/given.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const year = { account_id: '109500000000000001', year: 2026 };
const { account_id: _, year: __, ...sample } = AnnualReportGenerated.samples[1] as never as typeof year;
const data = sample as never as AnnualReportData;
const generated: AnnualReportEvent = { type: 'AnnualReportGenerated', data: { ...year, ...data } };
const read: AnnualReportEvent = { type: 'AnnualReportRead', data: year };

describe('The annual report', () => {
  it('is generated once, and the first figures remain', () => {
    const make = (...past: AnnualReportEvent[]) =>
      given(annualReport, ...past).when(decideGenerated, year, data);
    make().then([generated]);
    make(generated).then([]);
    make(generated, read).then([]);
  });

  it('is marked as read once, when it exists', () => {
    const look = (...past: AnnualReportEvent[]) => given(annualReport, ...past).when(decideRead, year);
    look().thenRefuses('not_found');
    look(generated).then([read]);
    look(generated, read).then([]);
  });

  it('is offered from 10 December to the end of the year in UTC', () => {
    const inDecember = (moment: string) => annualReportYear(moment, 'december');
    expect(inDecember('2026-12-09T23:59:59.999Z')).to.equal(null);
    expect(inDecember('2026-12-10T00:00:00.000Z')).to.equal(2026);
    expect(inDecember('2026-12-31T23:59:59.999Z')).to.equal(2026);
    expect(inDecember('2027-01-01T00:00:00.000Z')).to.equal(null);
    expect(inDecember('2026-11-20T00:00:00.000Z')).to.equal(null);
  });

  it("can be offered always or never by the operator's setting", () => {
    expect(annualReportYear('2026-03-01T00:00:00.000Z', 'always')).to.equal(2026);
    expect(annualReportYear('2026-12-24T00:00:00.000Z', 'never')).to.equal(null);
  });

  it('derives the archetype from the counts of posts', () => {
    const kind = (standalone: number, replies: number, reblogs: number, polls = 0) =>
      archetypeOf({ standalone, replies, reblogs, polls });
    expect(kind(60, 30, 22)).to.equal('lurker');
    expect(kind(60, 30, 23)).to.equal('oracle');
    expect(kind(50, 0, 101)).to.equal('booster');
    expect(kind(50, 0, 100)).to.equal('oracle');
    expect(kind(200, 0, 0, 21)).to.equal('pollster');
    expect(kind(200, 0, 0, 20)).to.equal('oracle');
    expect(kind(50, 101, 0)).to.equal('replier');
    expect(kind(50, 101, 101)).to.equal('booster');
  });

  describe('as a read model', () => {
    let db: Database;
    before(async () => {
      db = await openScratchDatabase();
    });
    after(() => db.close());

    it('has one row for each account and year, read or unread', async function () {
      this.timeout(60_000);
      const other = { ...year, year: 2025 };
      const { annual_reports: rows = [] } = await project(db, annualReports, [
        generated,
        { type: 'AnnualReportGenerated', data: { ...other, ...data } },
        read,
        { type: 'AnnualReportRead', data: { ...year, account_id: '109500000000000002' } },
      ]);
      expect(rows).to.have.deep.members([
        { ...year, data: JSON.stringify(data), read: true },
        { ...other, data: JSON.stringify(data), read: false },
      ]);
    });
  });
});

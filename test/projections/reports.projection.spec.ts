import { expect } from 'chai';
import { ReportFiled } from '#events/reports.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { reports } from '#projections/reports.ts';
import type { Database } from '#storage/postgres/db.ts';
import { openScratchDatabase, project, type Rows } from '../support/projection.ts';

const [one, two] = ['115500000000000001', '115500000000000002'];
const [alice, mod] = ['109500000000000001', '109500000000000002'];
const filed = (id: string, more: object = {}): DomainEvent => ({
  type: 'ReportFiled',
  data: { ...ReportFiled.samples[1], id, ...more },
});
const by = (type: string, id: string, more: object = {}): DomainEvent => ({
  type,
  data: { id, account_id: mod, ...more },
});

describe('The read model of reports', () => {
  let db: Database;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());
  const read = (...events: DomainEvent[]): Promise<Rows> => project(db, reports, events);

  it('contains the reported objects, with the versions and uploads of statuses', async () => {
    const statuses = [
      { id: '115400000000000003', version_id: '115400000000000004', media_ids: ['115300000000000001'] },
      { id: '115400000000000001', version_id: '115400000000000001', media_ids: [] },
    ];
    const rows = await read(filed(one, { statuses }), filed(two, { statuses: [], account_id: alice }));
    expect(rows['report_statuses']).to.deep.equal([
      { place: 0, report_id: one, status_id: '115400000000000003', version_id: '115400000000000004' },
      { place: 1, report_id: one, status_id: '115400000000000001', version_id: '115400000000000001' },
    ]);
    expect(rows['report_media']).to.deep.equal([{ media_id: '115300000000000001', report_id: one }]);
    expect(rows['reports']?.map(({ account_id }) => account_id)).to.include(alice);
  });

  it('follows the actions of staff, report by report', async () => {
    const { reports: found } = await read(
      filed(one),
      filed(two),
      by('ReportAssigned', one),
      by('ReportResolved', one),
      by('ReportResolved', two),
      by('ReportReopened', one),
      by('ReportUnassigned', one),
      by('ReportAssigned', two),
      by('ReportUpdated', one, { category: 'violation', rule_ids: ['7'] }),
      by('ReportUpdated', one, { rule_ids: ['7', '8'] }),
      by('ReportUpdated', two, { category: 'legal' }),
    );
    expect(found).to.have.length(2);
    expect(found?.find(({ id }) => id === one)).to.include({
      assigned_account_id: null,
      action_taken_at: null,
      action_taken_by_account_id: null,
      category: 'violation',
      rule_ids: '["7","8"]',
    });
    expect(found?.find(({ id }) => id === two)).to.include({
      assigned_account_id: mod,
      action_taken_by_account_id: mod,
      category: 'legal',
      rule_ids: '[]',
    });
  });

  it('keeps the notes of staff', async () => {
    const { report_notes: notes } = await read(
      filed(one),
      by('ReportNoteAdded', one, { note_id: '115500000000000009', content: 'Again' }),
    );
    expect(notes).to.have.length(1);
    expect(notes?.[0]).to.include({
      id: '115500000000000009',
      report_id: one,
      account_id: mod,
      content: 'Again',
    });
  });
});

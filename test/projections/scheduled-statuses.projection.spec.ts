import { expect } from 'chai';
import { StatusScheduled } from '#events/scheduled-statuses.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { scheduledStatuses } from '#projections/scheduled-statuses.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const picture = {
  id: '9',
  type: 'image',
  file: 'a.png',
  preview: 'b.png',
  remote_url: null,
  meta: null,
  description: 'A rook, "black"',
  blurhash: null,
};
const scheduled = (id: string): DomainEvent => ({
  type: 'StatusScheduled',
  data: { ...StatusScheduled.samples[1], id },
});
const about = (type: string, id: string, more: object = {}): DomainEvent => ({
  type,
  data: { id, account_id: '109500000000000000', ...more },
});

describe('The read model of scheduled statuses', function () {
  this.timeout(60_000);
  let db: Awaited<ReturnType<typeof openScratchDatabase>>;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());

  it('contains the latest version of each, wherever batches are cut', async () => {
    const rows = await project(db, scheduledStatuses, [
      scheduled('1'),
      scheduled('2'),
      scheduled('3'),
      about('ScheduledStatusMediaEdited', '1', { media: [picture, { ...picture, id: '10' }] }),
      about('ScheduledStatusCancelled', '2'),
      about('ScheduledStatusRescheduled', '1', { scheduled_at: '2026-12-24T18:00:00.000Z' }),
      scheduled('4'),
      about('ScheduledStatusPublished', '3', { status_id: '5', poll_id: '5', published_at: '' }),
    ]);
    const found = rows['scheduled_statuses'] ?? [];
    expect(found.map(({ id }) => String(id))).to.have.members(['1', '4']);
    const first = found.find(({ id }) => String(id) === '1');
    expect(first?.['media_ids']).to.have.lengthOf(2);
    expect(new Date(String(first?.['scheduled_at'])).toISOString()).to.equal('2026-12-24T18:00:00.000Z');
  });
});

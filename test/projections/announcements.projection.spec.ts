import { expect } from 'chai';
import { AnnouncementCreated } from '#events/announcements.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { announcements } from '#projections/announcements/index.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const created = (announcement_id: string): DomainEvent => ({
  type: 'AnnouncementCreated',
  data: { ...AnnouncementCreated.samples[1], announcement_id },
});
const event = (type: string, announcement_id: string, more: object = {}): DomainEvent => ({
  type: `Announcement${type}`,
  data: { announcement_id, ...more },
});
const added = (id: string, announcementId: string, account_id: string, name: string): DomainEvent =>
  event('ReactionAdded', announcementId, { id, account_id, name });
const removed = (announcementId: string, account_id: string, name: string): DomainEvent =>
  event('ReactionRemoved', announcementId, { account_id, name });

describe('The read model of announcements', () => {
  it('counts reactions, and keeps nothing of deleted announcements, wherever batches are cut', async function () {
    this.timeout(60_000);
    const db = await openScratchDatabase();
    const rows = await project(db, announcements, [
      created('1'),
      created('2'),
      event('Published', '1', { published_at: '2026-11-22T11:00:00.000Z' }),
      added('11', '1', '7', '🎉'),
      added('13', '1', '8', '🎉'),
      added('12', '1', '9', 'blobcat'),
      added('14', '2', '7', '🎉'),
      event('Dismissed', '1', { account_id: '7' }),
      event('Dismissed', '2', { account_id: '7' }),
      removed('1', '9', 'blobcat'),
      removed('1', '7', '🎉'),
      event('Updated', '1', { text: 'New', scheduled_at: null, updated_at: '2026-11-22T12:00:00.000Z' }),
      event('Deleted', '2'),
      added('15', '2', '8', '🎉'),
      event('Dismissed', '2', { account_id: '8' }),
    ]);
    await db.close();
    const [only, ...others] = rows['announcements'] ?? [];
    expect(others).to.deep.equal([]);
    expect(only).to.include({ id: 1 });
    expect(only?.['content']).to.include({ text: 'New' });
    expect(rows['announcement_reactions']).to.deep.equal([
      { announcement_id: 1, name: '🎉', account_id: 8, id: 13 },
    ]);
    expect(rows['announcement_reaction_counts']).to.deep.equal([
      { announcement_id: 1, name: '🎉', count: 1, first_id: 11 },
    ]);
    expect(rows['announcement_dismissals']).to.deep.equal([{ announcement_id: 1, account_id: 7 }]);
  });
});

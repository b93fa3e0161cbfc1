import { expect } from 'chai';
import type { DomainEvent } from '#kernel/event.ts';
import { markers } from '#projections/markers.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const moved = (account_id: string, move: number, home: string | null): DomainEvent => ({
  type: 'MarkersMoved',
  data: {
    account_id,
    move,
    home: home && { last_read_id: home, version: move, updated_at: '2026-11-21T08:00:00.000Z' },
    notifications: null,
  },
});

describe('The read model of markers', () => {
  let db: Awaited<ReturnType<typeof openScratchDatabase>>;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());

  it('contains the last position of each account, wherever batches are cut', async function () {
    this.timeout(60_000);
    const rows = await project(db, markers, [
      moved('1', 0, '10'),
      moved('2', 0, null),
      moved('1', 1, '20'),
      moved('2', 1, '30'),
      moved('1', 2, '5'),
    ]);
    expect(rows['markers']?.map(({ account_id, move }) => [account_id, move])).to.have.deep.members([
      [1, 2],
      [2, 1],
    ]);
    expect(JSON.parse(String(rows['markers']?.find(({ move }) => move === 2)?.['home']))).to.include({
      last_read_id: '5',
      version: 2,
    });
  });
});

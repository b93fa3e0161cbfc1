import { expect } from 'chai';
import type { RecordedEvent } from '#kernel/event.ts';
import { MAX_FAN_OUT } from '#projections/home/arrivals.ts';
import { home } from '#projections/home/index.ts';
import { type Database, READ_MODELS } from '#storage/postgres/db.ts';
import { applyBatch, createIndexes, createTables, handlersOf } from '#storage/postgres/projector/apply.ts';
import { openScratchDatabase } from '../support/projection.ts';

const AUTHOR = '1';

describe('The fan-out of posts', () => {
  let db: Database;

  before(async () => {
    db = await openScratchDatabase();
    await db.query(`create schema ${READ_MODELS}`);
    await createTables(home, READ_MODELS, db);
    await createIndexes(home, db);
  });
  after(() => db.close());

  /** Accounts 101 to 100 + `count`, who follow the author and were active on 20 November. */
  const givenReaders = async (count: number): Promise<void> => {
    await db.query('truncate home_follows, home_readers, home_posts, home_authors, home_entries');
    const readers = `generate_series(101, ${100 + count}) as id`;
    await db.query(`insert into home_follows select id, ${AUTHOR}, true, null from ${readers}`);
    await db.query(`insert into home_readers select id, '2026-11-20', 0 from ${readers}`);
    await db.query(`insert into home_readers values (${AUTHOR}, '2026-11-20', 0)`);
  };
  const whenPosted = (id: string, visibility = 'public', mentions: string[] = []): Promise<void> =>
    applyBatch(
      handlersOf(home),
      [
        {
          type: 'StatusCreated',
          data: {
            id,
            account_id: AUTHOR,
            visibility,
            created_at: '2026-11-21T08:00:00.000Z',
            mentions: mentions.map((mentioned) => ({ id: mentioned })),
          },
        } as unknown as RecordedEvent,
      ],
      db,
    );
  const written = async (id: string): Promise<number> => {
    const [row] = await db.query<{ count: number }>(
      'select count(*)::int as count from home_entries where status_id = $1',
      [id],
    );
    return row?.count ?? 0;
  };
  const author = async () => (await db.query('select newest_id, wide_id from home_authors'))[0];

  it('inserts a post for each recipient up to a limit', async () => {
    await givenReaders(MAX_FAN_OUT);
    await whenPosted('500');
    expect(await written('500')).to.equal(MAX_FAN_OUT + 1);
    expect(await author()).to.deep.equal({ newest_id: '500', wide_id: null });
  });

  it('inserts it for its author only above the limit, and marks it so that readers find it', async () => {
    await givenReaders(MAX_FAN_OUT + 1);
    await whenPosted('500');
    expect(await written('500')).to.equal(1);
    expect(await db.query('select status_id, wide from home_posts')).to.deep.equal([
      { status_id: '500', wide: true },
    ]);
    expect(await author()).to.deep.equal({ newest_id: '500', wide_id: '500' });
  });

  it('inserts it when too many follow, but few of them were active lately', async () => {
    await givenReaders(MAX_FAN_OUT + 1);
    await db.query(`update home_readers set active_on = '2026-10-01' where account_id > 200`);
    await whenPosted('500');
    expect(await written('500')).to.equal(101);
    expect(await author()).to.deep.equal({ newest_id: '500', wide_id: null });
  });

  it('inserts direct posts for the mentioned accounts', async () => {
    await givenReaders(MAX_FAN_OUT + 1);
    await whenPosted('500', 'direct', ['101', '102', '99']);
    expect(await written('500')).to.equal(3);
    expect(await author()).to.deep.equal({ newest_id: '500', wide_id: null });
  });
});

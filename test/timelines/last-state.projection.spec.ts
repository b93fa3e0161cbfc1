import { expect } from 'chai';
import { AccountFollowed } from '#events/relationships.ts';
import { StatusCreated } from '#events/statuses.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { home } from '#projections/home/index.ts';
import { type Database, READ_MODELS } from '#storage/postgres/db.ts';
import { applyBatch, comparedRows, createTables, handlersOf } from '#storage/postgres/projector/apply.ts';
import { asRecorded, openScratchDatabase, project } from '../support/projection.ts';

const AUTHOR = '1';
const READER = '2';
const DORMANT = '3';

const active = (account_id: string, date: string): DomainEvent => ({
  type: 'UserActive',
  data: { account_id, date },
});
const follows = (account_id: string, target_account_id = AUTHOR): DomainEvent => ({
  type: 'AccountFollowed',
  data: {
    ...AccountFollowed.samples[1],
    id: `9${account_id}`,
    account_id,
    target_account_id,
    languages: null,
  },
});
const posted = (id: number, more: object = {}): DomainEvent => ({
  type: 'StatusCreated',
  data: {
    ...StatusCreated.samples[2],
    id: String(id),
    account_id: AUTHOR,
    created_at: '2026-11-20T08:00:00.000Z',
    mentions: [],
    ...more,
  },
});
const deleted = (id: number): DomainEvent => ({
  type: 'StatusDeleted',
  data: { id: String(id), account_id: AUTHOR, visibility: 'public', in_reply_to_id: null },
});

describe('A rebuilt home timeline', function () {
  this.timeout(60_000);
  let db: Database;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());

  it('shows the same posts as one that followed the log', async () => {
    const rows = await project(db, home, [
      ...[active(DORMANT, '2026-09-01'), follows(DORMANT), posted(100), active(READER, '2026-11-19')],
      ...[posted(101), follows(READER), posted(102), posted(103, { visibility: 'direct' })],
      ...[deleted(101), active(READER, '2026-11-20'), posted(104), active(AUTHOR, '2026-11-20')],
    ]);
    const entries = rows['home_entries']?.filter((row) => row['account_id'] === Number(READER));
    expect(entries?.map((row) => row['status_id'])).to.deep.equal([100, 101, 102, 104]);
  });

  it('differs from one that lacks a post', async () => {
    await db.query(`create schema ${READ_MODELS}`);
    await createTables(home, READ_MODELS, db);
    const events = [active(READER, '2026-11-20'), follows(READER), posted(100), posted(101)];
    await applyBatch(handlersOf(home), events.map(asRecorded), db);
    const seen = async (): Promise<unknown> => db.query(comparedRows(home, 'home_entries', READ_MODELS));
    const before = await seen();
    expect(before).to.have.length(2);
    await db.query('delete from home_entries where status_id = 100');
    expect(await seen()).to.have.length(1);
  });
});

import { expect } from 'chai';
import { relationships } from '../../projections/relationships.ts';
import type { RelationshipEvent } from '../../src/events/relationships.ts';
import type { Database } from '../../src/postgres/db.ts';
import { openScratchDatabase, project, type Rows } from '../support/projection.ts';

const [alice, bob, carol] = ['109500000000000001', '109500000000000002', '109500000000000003'];
const plain = { reblogs: true, notify: false, languages: null };
const pair = (account_id: string, target_account_id: string) => ({ account_id, target_account_id });

describe('the read model of relationships', () => {
  let db: Database;
  before(async function () {
    this.timeout(60_000);
    db = await openScratchDatabase();
  });
  after(() => db.close());

  const rowsAfter = (...events: RelationshipEvent[]): Promise<Rows> => project(db, relationships, events);
  const followed = (from: string, to: string, id: string, settings = {}): RelationshipEvent => ({
    type: 'AccountFollowed',
    data: { id, ...pair(from, to), ...plain, ...settings },
  });
  const requested = (from: string, to: string, id: string, settings = {}): RelationshipEvent => ({
    type: 'FollowRequested',
    data: { id, ...pair(from, to), ...plain, ...settings },
  });
  const changed = (from: string, to: string, settings = {}): RelationshipEvent => ({
    type: 'FollowSettingsChanged',
    data: { ...pair(from, to), ...plain, ...settings },
  });

  it('holds a row per follow, with its settings', async () => {
    const rows = await rowsAfter(
      followed(alice, bob, '115500000000000001', { languages: ['de', 'en'] }),
      followed(bob, alice, '115500000000000002', { reblogs: false, notify: true, languages: ['fr'] }),
      followed(carol, alice, '115500000000000003'),
    );
    expect(rows['follows']).to.have.deep.members([
      { id: '115500000000000001', ...pair(alice, bob), ...plain, languages: ['de', 'en'] },
      { id: '115500000000000002', ...pair(bob, alice), reblogs: false, notify: true, languages: ['fr'] },
      { id: '115500000000000003', ...pair(carol, alice), ...plain },
    ]);
    expect(rows['follow_requests']).to.deep.equal([]);
  });

  it('forgets a follow that ended, and knows one that began again by its new id', async () => {
    const rows = await rowsAfter(
      followed(alice, bob, '115500000000000001'),
      followed(carol, bob, '115500000000000002'),
      { type: 'AccountUnfollowed', data: pair(alice, bob) },
      { type: 'AccountUnfollowed', data: pair(carol, bob) },
      followed(alice, bob, '115500000000000003'),
    );
    expect(rows['follows']).to.deep.equal([{ id: '115500000000000003', ...pair(alice, bob), ...plain }]);
  });

  it('holds the latest settings of follows and of requests', async () => {
    const rows = await rowsAfter(
      followed(alice, bob, '115500000000000001'),
      requested(alice, carol, '115500000000000002'),
      changed(alice, bob, { notify: true }),
      changed(alice, carol, { reblogs: false }),
      changed(alice, bob, { languages: ['en'] }),
    );
    expect(rows['follows']).to.deep.equal([
      { id: '115500000000000001', ...pair(alice, bob), ...plain, languages: ['en'] },
    ]);
    expect(rows['follow_requests']).to.deep.equal([
      { id: '115500000000000002', ...pair(alice, carol), ...plain, reblogs: false },
    ]);
  });

  it('makes a follow of an authorized request', async () => {
    const rows = await rowsAfter(requested(alice, bob, '115500000000000001', { reblogs: false }), {
      type: 'FollowRequestAuthorized',
      data: { id: '115500000000000001', ...pair(alice, bob), ...plain, reblogs: false },
    });
    expect(rows).to.deep.equal({
      follows: [{ id: '115500000000000001', ...pair(alice, bob), ...plain, reblogs: false }],
      follow_requests: [],
    });
  });

  it('forgets requests that were withdrawn or rejected', async () => {
    const rows = await rowsAfter(
      requested(alice, bob, '115500000000000001'),
      requested(carol, bob, '115500000000000002'),
      requested(bob, carol, '115500000000000003'),
      { type: 'FollowRequestWithdrawn', data: pair(alice, bob) },
      { type: 'FollowRequestRejected', data: pair(carol, bob) },
    );
    expect(rows['follow_requests']).to.deep.equal([
      { id: '115500000000000003', ...pair(bob, carol), ...plain },
    ]);
    expect(rows['follows']).to.deep.equal([]);
  });
});

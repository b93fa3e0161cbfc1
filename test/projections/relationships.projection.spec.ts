import { expect } from 'chai';
import type { RelationshipEvent } from '#events/relationships.ts';
import { relationships } from '#projections/relationships/index.ts';
import type { Database } from '#storage/postgres/db.ts';
import { openScratchDatabase, project, type Rows } from '../support/projection.ts';

const [alice, bob, carol] = ['109500000000000001', '109500000000000002', '109500000000000003'];
const plain = { reblogs: true, notify: false, languages: null };
const pair = (account_id: string, target_account_id: string) => ({ account_id, target_account_id });

describe('The read model of relationships', () => {
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

  it('has a row per follow, with its settings', async () => {
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

  it('deletes an ended follow, and gives a new one its new id', async () => {
    const rows = await rowsAfter(
      followed(alice, bob, '115500000000000001'),
      followed(carol, bob, '115500000000000002'),
      { type: 'AccountUnfollowed', data: pair(alice, bob) },
      { type: 'AccountUnfollowed', data: pair(carol, bob) },
      followed(alice, bob, '115500000000000003'),
    );
    expect(rows['follows']).to.deep.equal([{ id: '115500000000000003', ...pair(alice, bob), ...plain }]);
  });

  it('contains the latest settings of follows and requests', async () => {
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

  it('turns an accepted request into a follow', async () => {
    const rows = await rowsAfter(requested(alice, bob, '115500000000000001', { reblogs: false }), {
      type: 'FollowRequestAuthorized',
      data: { id: '115500000000000001', ...pair(alice, bob), ...plain, reblogs: false },
    });
    expect(rows['follows']).to.deep.equal([
      { id: '115500000000000001', ...pair(alice, bob), ...plain, reblogs: false },
    ]);
    expect(rows['follow_requests']).to.deep.equal([]);
  });

  it('deletes withdrawn and rejected requests', async () => {
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

  describe('for blocks, mutes, endorsements and notes', () => {
    const mark = (
      type: 'AccountBlocked' | 'AccountEndorsed',
      from: string,
      to: string,
      id: string,
    ): RelationshipEvent => ({ type, data: { id, ...pair(from, to) } });
    const end = (
      type: 'AccountUnblocked' | 'AccountUnendorsed' | 'AccountUnmuted',
      from: string,
      to: string,
    ): RelationshipEvent => ({ type, data: pair(from, to) });
    const muted = (from: string, to: string, id: string, terms = {}): RelationshipEvent => ({
      type: 'AccountMuted',
      data: { id, ...pair(from, to), notifications: true, expires_at: null, ...terms },
    });
    const noted = (from: string, to: string, comment: string): RelationshipEvent => ({
      type: 'AccountNoteSet',
      data: { ...pair(from, to), comment },
    });

    it('has a row per block and endorsement, until it ends', async () => {
      for (const [table, begin, over] of [
        ['blocks', 'AccountBlocked', 'AccountUnblocked'],
        ['endorsements', 'AccountEndorsed', 'AccountUnendorsed'],
      ] as const) {
        const rows = await rowsAfter(
          mark(begin, alice, bob, '115500000000000001'),
          mark(begin, bob, alice, '115500000000000002'),
          mark(begin, alice, carol, '115500000000000003'),
          end(over, alice, bob),
          end(over, alice, carol),
          mark(begin, alice, carol, '115500000000000004'),
        );
        expect(rows[table]).to.have.deep.members([
          { id: '115500000000000002', ...pair(bob, alice) },
          { id: '115500000000000004', ...pair(alice, carol) },
        ]);
      }
    });

    it('contains the latest terms of a mute, until it ends', async () => {
      const rows = await rowsAfter(
        muted(alice, bob, '115500000000000001'),
        muted(alice, carol, '115500000000000002'),
        muted(alice, bob, '115500000000000001', { notifications: false }),
        end('AccountUnmuted', alice, carol),
      );
      expect(rows['mutes']).to.deep.equal([
        { id: '115500000000000001', ...pair(alice, bob), notifications: false, expires_at: null },
      ]);
    });

    it('keeps an expired mute, which reads exclude', async () => {
      const rows = await rowsAfter(
        muted(alice, bob, '115500000000000001', { expires_at: '2001-01-01T00:00:00.000Z' }),
      );
      expect(rows['mutes']?.[0]?.['expires_at']).to.match(/^2001-01-01T00:00:00/);
    });

    it('contains the latest text of a note, and none for an empty text', async () => {
      const rows = await rowsAfter(
        noted(alice, bob, 'one'),
        noted(alice, carol, 'two'),
        noted(bob, alice, 'three'),
        noted(alice, bob, 'four'),
        noted(alice, carol, ''),
      );
      expect(rows['account_notes']).to.have.deep.members([
        { ...pair(alice, bob), comment: 'four' },
        { ...pair(bob, alice), comment: 'three' },
      ]);
    });
  });

  it('contains the URI of the last follow on other servers, also if it ended', async () => {
    const [one, two] = ['https://far.example/follows/1', 'https://far.example/follows/2'];
    const rows = await rowsAfter(
      requested(alice, bob, '115500000000000001', { uri: one }),
      { type: 'FollowRequestRejected', data: pair(alice, bob) },
      followed(carol, bob, '115500000000000002', { uri: one }),
      changed(carol, bob, { uri: two }),
      changed(carol, bob, { reblogs: false }),
      { type: 'AccountUnfollowed', data: pair(carol, bob) },
      followed(bob, alice, '115500000000000003'),
    );
    expect(rows['follow_uris']).to.have.deep.members([
      { ...pair(alice, bob), uri: one },
      { ...pair(carol, bob), uri: two },
    ]);
  });

  it('contains the domains that each account blocks', async () => {
    const block = (account_id: string, domain: string, id: string) => ({
      type: 'UserDomainBlocked',
      data: { id, account_id, domain },
    });
    const rows = await project(db, relationships, [
      block(alice, 'far.example', '115500000000000001'),
      block(bob, 'far.example', '115500000000000002'),
      block(alice, 'near.example', '115500000000000003'),
      { type: 'UserDomainUnblocked', data: { account_id: alice, domain: 'far.example' } },
    ]);
    expect(rows['user_domain_blocks']).to.have.deep.members([
      { account_id: bob, domain: 'far.example', id: '115500000000000002' },
      { account_id: alice, domain: 'near.example', id: '115500000000000003' },
    ]);
  });
});

import { expect } from 'chai';
import type { ListEvent } from '#events/lists.ts';
import { lists } from '#projections/lists.ts';
import type { Database } from '#storage/postgres/db.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const [alice, bob, carol] = ['109500000000000001', '109500000000000002', '109500000000000003'];
const [one, two] = ['115500000000000001', '115500000000000002'];
const owned = { list_id: one, account_id: alice };
const created = (list_id: string): ListEvent => ({
  type: 'ListCreated',
  data: { list_id, account_id: alice, title: 'Friends', replies_policy: 'list', exclusive: false },
});
const added = (list_id: string, account_id: string, follow_id: string): ListEvent => ({
  type: 'ListAccountsAdded',
  data: { list_id, account_id: alice, members: [{ account_id, follow_id }] },
});

describe('The read model of lists', () => {
  let db: Database;
  before(async function () {
    this.timeout(60_000);
    db = await openScratchDatabase();
  });
  after(() => db.close());

  it('contains lists and added accounts, with the newest follow', async () => {
    const rows = await project(db, lists, [
      created(one),
      created(two),
      { type: 'ListUpdated', data: { ...owned, title: 'Foes', exclusive: true } },
      { type: 'ListUpdated', data: { ...owned, replies_policy: 'none' } },
      added(one, bob, '115500000000000011'),
      added(one, carol, '115500000000000012'),
      added(two, carol, '115500000000000012'),
      added(one, bob, '115500000000000013'),
      { type: 'ListAccountsRemoved', data: { ...owned, account_ids: [carol] } },
    ]);
    expect(rows['lists']).to.have.deep.members([
      { id: one, account_id: alice, title: 'Foes', replies_policy: 'none', exclusive: true },
      { id: two, account_id: alice, title: 'Friends', replies_policy: 'list', exclusive: false },
    ]);
    expect(rows['list_accounts']).to.have.deep.members([
      { list_id: one, account_id: bob, owner_id: alice, follow_id: '115500000000000013' },
      { list_id: two, account_id: carol, owner_id: alice, follow_id: '115500000000000012' },
    ]);
  });

  it('deletes a list with its members', async () => {
    const rows = await project(db, lists, [
      created(one),
      added(one, bob, '115500000000000011'),
      { type: 'ListDeleted', data: owned },
    ]);
    expect(rows).to.deep.equal({ lists: [], list_accounts: [] });
  });
});

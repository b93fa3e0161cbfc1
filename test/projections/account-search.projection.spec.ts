import { expect } from 'chai';
import { AccountCreated } from '#events/accounts.ts';
import { RemoteAccountRenamed } from '#events/federation.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { accountSearch } from '#projections/account-search.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const ALICE = '115500000000000000';
const BOB = '115500000000000001';

const created = (id: string, username: string, domain: string | null, display_name = ''): DomainEvent => ({
  type: 'AccountCreated',
  data: { ...AccountCreated.samples[AccountCreated.version], id, username, domain, display_name },
});
const updated = (id: string, change: object): DomainEvent => ({
  type: 'AccountUpdated',
  data: { id, ...change },
});
const moved = (id: string): DomainEvent => ({
  type: 'AccountMoved',
  data: {
    account_id: id,
    target_account_id: BOB,
    moved_at: '2026-11-21T08:00:00.000Z',
    with_followers: true,
  },
});

describe('The read model for searching accounts', function () {
  this.timeout(60_000);
  let db: Awaited<ReturnType<typeof openScratchDatabase>>;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());

  const rowsOf = async (events: readonly DomainEvent[]): Promise<Record<string, unknown>[]> =>
    (await project(db, accountSearch, events))['account_search'] ?? [];

  it('contains the handle, its words and those of the latest name, wherever batches are cut', async () => {
    const rows = await rowsOf([
      created(ALICE, 'Alice_B', null, 'Alice'),
      created(BOB, 'Bob', 'Far.example', 'Bób the Builder'),
      updated(ALICE, { display_name: 'Somebody Else' }),
      updated(BOB, { note: 'Hi' }),
      updated(ALICE, { display_name: 'Ålice, of Wonderland' }),
    ]);
    expect(rows).to.deep.equal([
      {
        account_id: ALICE,
        acct_key: 'alice_b',
        handle: "'alice' 'alice_b@' 'b'",
        words: "'alice' 'of' 'wonderland'",
        terms: "'alice' 'alice_b@' 'b' 'of' 'wonderland'",
        moved: false,
      },
      {
        account_id: BOB,
        acct_key: 'bob@far.example',
        handle: "'bob' 'bob@far.example'",
        words: "'bob' 'builder' 'the'",
        terms: "'bob' 'bob@far.example' 'builder' 'the'",
        moved: false,
      },
    ]);
  });

  it('contains the present handle of a renamed account, beside the words of its name', async () => {
    const renamed = (username: string): DomainEvent => ({
      type: 'RemoteAccountRenamed',
      data: { ...RemoteAccountRenamed.samples[1], account_id: BOB, username, domain: 'far.example' },
    });
    const rows = await rowsOf([
      created(BOB, 'Bob', 'far.example', 'Bob the Builder'),
      renamed('Rob'),
      updated(BOB, { display_name: 'Bob the Boss' }),
      renamed('Robert'),
    ]);
    expect(rows).to.deep.equal([
      {
        account_id: BOB,
        acct_key: 'robert@far.example',
        handle: "'robert' 'robert@far.example'",
        words: "'bob' 'boss' 'the'",
        terms: "'bob' 'boss' 'robert' 'robert@far.example' 'the'",
        moved: false,
      },
    ]);
  });

  it('keeps the handle when a name is emptied or erased', async () => {
    const [row] = await rowsOf([
      created(ALICE, 'alice', null, 'Wonder'),
      updated(ALICE, { display_name: '' }),
    ]);
    expect(row).to.include({ terms: "'alice' 'alice@'" });
  });

  it('knows which accounts have moved and which have returned', async () => {
    const gone = [created(ALICE, 'alice', null), moved(ALICE)];
    const back = { type: 'AccountMoveCancelled', data: { account_id: ALICE } };
    expect((await rowsOf(gone))[0]).to.include({ moved: true });
    expect((await rowsOf([...gone, back]))[0]).to.include({ moved: false });
    expect((await rowsOf([...gone, back, moved(ALICE)]))[0]).to.include({ moved: true });
  });

  it('accepts names of any length and kind', async () => {
    const [row] = await rowsOf([
      created(ALICE, 'ﷺ'.repeat(2_048), 'far.example', '\u{1F600} '.repeat(600)),
      updated(ALICE, { display_name: 'ﷺ'.repeat(2_048) }),
      updated(ALICE, { display_name: `it's ${'漢'.repeat(2_000)} a\\b ' :* & |` }),
    ]);
    expect(row?.['terms']).to.include("'漢漢").and.include("'it'").and.include("'s'");
  });
});

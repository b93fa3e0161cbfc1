import { expect } from 'chai';
import type { FilterEvent } from '#events/filters.ts';
import { filters } from '#projections/filters/index.ts';
import type { Database } from '#storage/postgres/db.ts';
import { openScratchDatabase, project, type Rows } from '../support/projection.ts';

const [alice, bob] = ['109500000000000001', '109500000000000002'];
const [one, two] = ['115500000000000001', '115500000000000002'];
const keyword = (id: string, text: string, whole_word = true) => ({ id, keyword: text, whole_word });
const created = (
  filter_id: string,
  account_id: string,
  keywords: ReturnType<typeof keyword>[] = [],
): FilterEvent => ({
  type: 'FilterCreated',
  data: {
    filter_id,
    account_id,
    title: 'Series',
    context: ['home', 'public'],
    filter_action: 'warn',
    expires_at: '2026-12-01T00:00:00.000Z',
    keywords,
  },
});

describe('The read model of filters', () => {
  let db: Database;
  before(async function () {
    this.timeout(60_000);
    db = await openScratchDatabase();
  });
  after(() => db.close());
  const rowsAfter = (...events: FilterEvent[]): Promise<Rows> => project(db, filters, events);
  const owned = { filter_id: one, account_id: alice };

  it('contains the present filters, and the last position of each owner', async () => {
    const rows = await rowsAfter(
      created(one, alice, [keyword('115500000000000011', 'spoiler')]),
      created(two, bob),
      { type: 'FilterUpdated', data: { ...owned, title: 'Films', expires_at: null } },
      { type: 'FilterUpdated', data: { filter_id: two, account_id: bob, context: ['thread'] } },
      { type: 'FilterUpdated', data: { filter_id: two, account_id: bob, filter_action: 'blur' } },
    );
    expect(rows['filters']).to.have.deep.members([
      {
        id: one,
        account_id: alice,
        title: 'Films',
        context: '["home","public"]',
        filter_action: 'warn',
        expires_at: null,
      },
      {
        id: two,
        account_id: bob,
        title: 'Series',
        context: '["thread"]',
        filter_action: 'blur',
        expires_at: rows['filters']?.find(({ id }) => id === two)?.['expires_at'],
      },
    ]);
    expect(new Date(String(rows['filters']?.find(({ id }) => id === two)?.['expires_at']))).to.deep.equal(
      new Date('2026-12-01T00:00:00.000Z'),
    );
    expect(rows['filter_revisions']).to.have.deep.members([
      { account_id: alice, revision: 3 },
      { account_id: bob, revision: 5 },
    ]);
  });

  it('adds, changes and removes keywords and statuses', async () => {
    const [first, second, third] = ['115500000000000011', '115500000000000012', '115500000000000013'];
    const entry = { ...owned, id: '115500000000000021', status_id: '115500000000000031' };
    const rows = await rowsAfter(
      created(one, alice, [keyword(first, 'a'), keyword(second, 'b')]),
      {
        type: 'FilterKeywordsEdited',
        data: {
          ...owned,
          added: [keyword(third, 'c', false)],
          changed: [keyword(second, 'B', false)],
          removed: [first],
        },
      },
      { type: 'FilterKeywordsEdited', data: { ...owned, added: [], changed: [], removed: [third] } },
      { type: 'FilterStatusAdded', data: entry },
      { type: 'FilterStatusAdded', data: { ...entry, id: '115500000000000022' } },
      { type: 'FilterStatusRemoved', data: entry },
    );
    expect(rows['filter_keywords']).to.deep.equal([{ ...owned, ...keyword(second, 'B', false) }]);
    expect(rows['filter_statuses']).to.deep.equal([{ ...entry, id: '115500000000000022' }]);
  });

  it('keeps nothing of a deleted filter but the position', async () => {
    const rows = await rowsAfter(
      created(one, alice, [keyword('115500000000000011', 'a')]),
      {
        type: 'FilterStatusAdded',
        data: { ...owned, id: '115500000000000021', status_id: '115500000000000031' },
      },
      { type: 'FilterDeleted', data: owned },
    );
    expect(rows).to.deep.equal({
      filters: [],
      filter_keywords: [],
      filter_statuses: [],
      filter_revisions: [{ account_id: alice, revision: 3 }],
    });
  });
});

import { expect } from 'chai';
import { SEARCH } from '#queries/accounts/search.ts';
import type { Database } from '#storage/postgres/db.ts';
import { accountsFilled, databaseToFill, ONE_PLAN, rowsRead } from '../support/plans.ts';

const ACCOUNTS = 2_000;
const FOLLOWED = 1_000;
const LIMIT = 40;
/**
 * For each matching account: its terms in the index and in the row, its followers, and whether the reader
 * follows it.
 */
const BOUND = 4 * ACCOUNTS + 10 * LIMIT;

const FILL = [
  accountsFilled(ACCOUNTS),
  `insert into account_search (account_id, acct_key, handle, terms)
   select n, 'user' || n, array_to_tsvector(array['user' || n]), array_to_tsvector(array['user' || n])
   from generate_series(1, ${ACCOUNTS}) n`,
  `insert into account_stats (account_id, followers_count, following_count, statuses_count) select n, 1, 1, 1 from generate_series(1, ${ACCOUNTS}) n`,
  // Most accounts follow one account, so Postgres estimates the same for the reader.
  `insert into follows (account_id, target_account_id, id, reblogs, notify)
   select 1, n, n, true, false from generate_series(2, ${FOLLOWED}) n
   union all select n, 1, ${ACCOUNTS} + n, true, false from generate_series(2, ${ACCOUNTS}) n`,
];

describe('The statement that searches accounts', function () {
  this.timeout(60_000);
  let db: Database;

  before(async () => {
    db = await databaseToFill(ONE_PLAN);
    for (const each of FILL) await db.query(each);
    await db.query('vacuum (analyze) accounts, account_search, account_stats, follows');
  });
  after(() => db.close());

  it("does not read all the reader's follows for each match", async () => {
    const values = ['1', "'user':*", 'user', false, false, LIMIT, 0];
    expect(await rowsRead(db, SEARCH.text, values)).to.be.within(ACCOUNTS, BOUND);
  });
});

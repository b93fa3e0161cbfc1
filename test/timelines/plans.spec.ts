import { expect } from 'chai';
import { PUBLIC } from '../../queries/timelines/public.ts';
import { LARGEST_ID } from '../../src/kernel/ids.ts';
import type { Database } from '../../src/postgres/db.ts';
import { accountsFilled, databaseToFill, ONE_PLAN, rowsRead } from '../support/plans.ts';

const POSTS = 40_000;
const LIMIT = 20;
/** A page, and a few times that many of what each of its posts needs. */
const BOUND = 500;
const OLDEST = '0';

/** Of two accounts, one of them here; one post of a thousand is by the one who is fewer. */
const fill = (seldom: 'here' | 'there'): string[] => [
  'truncate accounts, statuses',
  accountsFilled(2),
  `insert into statuses (id, account_id, local, visibility, created_at, conversation_id, quote_policy, uri, sensitive,
     spoiler_text, content, body, plain)
   select n, 1 + local::int, local, 'public', now(), n, 'public', 'u' || n, false, '', '', '', ''
   from generate_series(1, ${POSTS}) n, lateral (select (n % 1000 = 7) = ${seldom === 'here'} as local) l`,
];

describe('the statement of public timelines, with many posts of one kind and few of the other', function () {
  this.timeout(60_000);
  let db: Database;

  before(async () => {
    db = await databaseToFill(ONE_PLAN);
  });
  after(() => db.close());

  for (const seldom of ['here', 'there'] as const) {
    it(`reads few rows where few are posted ${seldom}`, async () => {
      for (const each of fill(seldom)) await db.query(each);
      await db.query('vacuum (analyze) accounts, statuses');
      for (const local of [null, true, false]) {
        for (const order of ['ascending', 'descending'] as const) {
          const values = [null, LARGEST_ID, OLDEST, LIMIT, local, false, null];
          const rows = await rowsRead(db, PUBLIC[order].text, values);
          expect(rows, `local: ${local}, ${order}`).to.be.within(LIMIT, BOUND);
        }
      }
    });
  }
});

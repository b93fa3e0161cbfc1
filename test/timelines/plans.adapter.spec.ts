import { expect } from 'chai';
import { LARGEST_ID } from '#kernel/ids.ts';
import type { KeysetStatement } from '#kernel/paging.ts';
import { TAGGED, WITH_MEDIA } from '#queries/accounts/statuses.ts';
import { PUBLIC, PUBLIC_MEDIA } from '#queries/timelines/public.ts';
import type { Database } from '#storage/postgres/db.ts';
import { accountsFilled, databaseToFill, ONE_PLAN, rowsRead } from '../support/plans.ts';

const POSTS = 40_000;
const LIMIT = 20;
/** The rows of a page, with a few more for each of its posts. */
const BOUND = 500;
const OLDEST = '0';

/** Posts of two accounts, the second one local. `local` and `media` are SQL expressions for the post `n`. */
const fill = (local: string, media = 'null::text'): string[] => [
  'truncate accounts, statuses',
  accountsFilled(2),
  `insert into statuses (id, account_id, local, visibility, created_at, conversation_id, quote_policy, uri, sensitive,
     spoiler_text, content, body, plain, media)
   select n, 1 + local::int, local, 'public', now(), n, 'public', 'u' || n, false, '', '', '', '', ${media}
   from generate_series(1, ${POSTS}) n, lateral (select ${local} as local) l`,
  'vacuum (analyze) accounts, statuses',
];
/** One post in a thousand has it. */
const SELDOM = 'n % 1000 = 7';

describe('The statements of timelines, with many posts of one kind and few of the other', function () {
  this.timeout(60_000);
  let db: Database;

  before(async () => {
    db = await databaseToFill(ONE_PLAN);
  });
  after(() => db.close());

  const filled = async (...sql: string[]): Promise<void> => {
    for (const each of sql) await db.query(each);
  };
  /** Checks a page in both orders; `values` follow those of every page. */
  const expectFewRead = async (keyset: KeysetStatement, ...values: unknown[]): Promise<void> => {
    for (const order of ['ascending', 'descending'] as const) {
      const rows = await rowsRead(db, keyset[order].text, [null, LARGEST_ID, OLDEST, LIMIT, ...values]);
      expect(rows, `${keyset[order].name} ${values.join(' ')}`).to.be.within(LIMIT, BOUND);
    }
  };

  for (const seldom of ['here', 'there'] as const) {
    it(`read few rows of public timelines with few posts ${seldom}`, async () => {
      await filled(...fill(`(${SELDOM}) = ${seldom === 'here'}`));
      for (const local of [null, true, false]) await expectFewRead(PUBLIC, local, null);
    });
  }

  it('read few rows of timelines with media when few posts have any', async () => {
    await filled(...fill('(n / 1000) % 2 = 1', `case when ${SELDOM} then '[]' end`));
    for (const local of [null, true, false]) await expectFewRead(PUBLIC_MEDIA, local, null);
    for (const accountId of ['1', '2']) await expectFewRead(WITH_MEDIA, accountId, false, false);
  });

  it('read few rows of the posts of an account with a hashtag that the others use', async () => {
    await filled(
      ...fill(`n % 2 = 0`),
      'truncate status_tags',
      // The first account uses it seldom, the second one always.
      `insert into status_tags (tag, status_id, account_id)
       select 'chess', id, account_id from statuses where account_id = 2 or id % 2000 = 7`,
      'vacuum (analyze) status_tags',
    );
    for (const accountId of ['1', '2']) await expectFewRead(TAGGED, accountId, false, 'chess', false);
    const none = [null, LARGEST_ID, OLDEST, LIMIT, '2', false, 'rare', false];
    expect(await rowsRead(db, TAGGED.descending.text, none)).to.be.at.most(5);
  });
});

import { PersonalDataErased } from '#events/erasure.ts';
import { StatusCreated, StatusDeleted, StatusEdited } from '#events/statuses.ts';
import { columns, deleteRowsOf, MAIN, on, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { bigint, date, integer, table, tablesOf, textC, timestamptz } from '#kernel/table/index.ts';
import {
  count,
  countOfAccounts,
  counts,
  edited,
  insert,
  isCounted,
  remove,
  STATUSES,
  taggedOf,
} from './uses.ts';

const ACCOUNTS = table('account_tags', { account_id: bigint, tag: textC, statuses_count: integer }, [
  'account_id',
  'tag',
]);
const ACCOUNT_DAYS = table(
  'tag_account_days',
  {
    tag: textC,
    day: date,
    account_id: bigint,
    uses: integer,
    /** The first use of the day, deleted since or not. */
    used_at: timestamptz.orNull,
  },
  ['tag', 'day', 'account_id'],
);
const DAYS = table('tag_usage', { tag: textC, day: date, uses: integer, accounts: integer }, ['tag', 'day']);
const FORGET_TAGS = deleteRowsOf(ACCOUNTS);
const FORGET_STATUSES = deleteRowsOf(STATUSES);
/** Forgets the days of the hashtags of accounts, and days without any other use. */
const FORGET_DAYS = statement(
  'tag_usage_forget',
  `with gone as (
     delete from tag_account_days d using account_tags a
     where a.account_id = any($1::bigint[]) and d.account_id = a.account_id and d.tag = a.tag
     returning d.tag, d.day, d.account_id, d.uses
   ), unused as (
     delete from tag_usage u using (select distinct tag, day from gone) g
     where u.tag = g.tag and u.day = g.day and not exists (
       select from tag_account_days d
       where d.tag = u.tag and d.day = u.day and d.account_id <> all($1::bigint[])
     )
   )
   update tag_usage u set uses = u.uses - g.uses, accounts = u.accounts - g.accounts
   from (
     select tag, day, sum(uses) as uses, count(*) filter (where uses > 0) as accounts from gone group by tag, day
   ) g
   where u.tag = g.tag and u.day = g.day and g.uses > 0 and exists (
     select from tag_account_days d
     where d.tag = u.tag and d.day = u.day and d.account_id <> all($1::bigint[])
   )`,
);

/**
 * The uses of hashtags: by each account (public and unlisted posts, for featured hashtags), and by everyone
 * on each day (public posts as they were published, for a hashtag's history: as in Mastodon, edits change
 * nothing there). Deleting a post undoes its uses.
 */
export const tagUsage: Projection = {
  name: 'tag-usage',
  version: 6,
  group: MAIN,
  tables: tablesOf(STATUSES, ACCOUNTS, ACCOUNT_DAYS, DAYS),
  indexes: ['create index tagged_statuses_newest on tagged_statuses (account_id, tag, status_id desc)'],
  handlers: [
    on(StatusCreated, {
      keys: ({ data }) => [data.id],
      apply: async (events, db) => {
        const added = events.flatMap(({ data }) => taggedOf(data));
        if (added.length === 0) return;
        const counted = counts(added, 1);
        await Promise.all([insert(added, db), count(counted, db)]);
      },
    }),
    on(StatusEdited, {
      keys: ({ data }) => [data.id],
      apply: async (events, db) => {
        const counted = events.map(({ data }) => data).filter(isCounted);
        if (counted.length === 0) return;
        const before = await remove(counted, db);
        const after = edited(before, counted.flatMap(taggedOf));
        await insert(after, db);
        await countOfAccounts([...counts(before, -1), ...counts(after, 1)], db);
      },
    }),
    on(StatusDeleted, {
      keys: ({ data }) => [data.id],
      apply: async (events, db) => {
        const counted = events.map(({ data }) => data).filter(isCounted);
        if (counted.length === 0) return;
        await count(counts(await remove(counted, db), -1), db);
      },
    }),
    on(PersonalDataErased, {
      apply: async (events, db) => {
        const ids = columns(events, 'account_id');
        await db.query(FORGET_DAYS, ids);
        await Promise.all([db.query(FORGET_TAGS, ids), db.query(FORGET_STATUSES, ids)]);
      },
    }),
  ],
};

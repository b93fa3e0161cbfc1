import { statement, type Db } from '../../src/kernel/read.ts';

const MAX = 200;
/** A hashtag of fewer people is no trend. */
const MIN_ACCOUNTS = 3;

/**
 * Hashtags that more people use than usually: those of today and yesterday, against as many as two of the five days before
 * had on average (one at least). The score is that of Mastodon: the square of the difference by what was to be expected.
 */
const TAGS = statement(
  'rank_tags',
  `select tag as key from (
     select u.tag, sum(u.accounts) filter (where u.day > t.today - 2) as seen,
       greatest(1, coalesce(sum(u.accounts) filter (where u.day <= t.today - 2), 0) * 2 / 5.0) as expected
     from tag_usage u, (select ($1::timestamptz at time zone 'utc')::date as today) t
     where u.day between t.today - 6 and t.today group by u.tag
   ) counted
   where seen >= ${MIN_ACCOUNTS} and seen > expected
   order by (seen - expected) ^ 2 / expected desc, tag limit ${MAX}`,
);

/** Normal names of trending hashtags at `now`. */
export const trendingTags = async (db: Db, now: string): Promise<string[]> =>
  (await db.query<{ key: string }>(TAGS, [now])).map(({ key }) => key);

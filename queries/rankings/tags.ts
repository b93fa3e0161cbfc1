import { type Db, statement } from '#kernel/read.ts';
import { firstDay, MIN_ACCOUNTS, trendingKeys } from './peaks.ts';

const MAX = 200;
/** Hours, as in Mastodon. */
const HALF_LIFE = 4;

/**
 * Selects hashtags of public posts. Only hashtags that enough accounts use in one day are counted by account.
 */
const TAGS = statement<{ key: string }>(
  'rank_tags',
  `with busy as (
     select tag, day from tag_usage
     where day >= ($2::timestamptz at time zone 'utc')::date and accounts >= ${MIN_ACCOUNTS}
   ), counted as (
     select d.tag as key, d.day, count(*) as observed, max(d.used_at) as peak_at
     from (select tag, day from busy union select tag, day - 1 from busy) b
     join tag_account_days d on d.tag = b.tag and d.day = b.day and d.uses > 0
     join accounts a on a.id = d.account_id and not a.suspended and not a.silenced
     group by 1, 2
   )
   ${trendingKeys('counted', HALF_LIFE, MAX)}`,
);

/** Returns the normal names of trending hashtags at `now`. */
export const trendingTags = async (db: Db, now: string): Promise<string[]> => {
  const since = new Date(firstDay(now)).toISOString();
  return (await db.query(TAGS, [now, since])).map(({ key }) => key);
};

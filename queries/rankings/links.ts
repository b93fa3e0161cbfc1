import { idAt } from '../../src/kernel/ids.ts';
import { statement, type Db } from '../../src/kernel/read.ts';

const MAX = 200;
const DAY = 86_400_000;
/** The days with a score that still counts, and the one before the first of them. */
const MAX_DAYS = 4;
/** As in Mastodon: the accounts of a trend in one day, how soon its peak halves and ends (hours), the least score. */
const MIN_ACCOUNTS = 5;
const HALF_LIFE = 8;
const COOLDOWN = 48;
const MIN_SCORE = 1;

/**
 * Links that more accounts share in public in one day (UTC) than in the day before. The score is that of Mastodon; it is highest when
 * the last account of the day shares the link, and decays from then.
 */
const LINKS = statement(
  'rank_links',
  `with shared as (
     select l.link, (s.created_at at time zone 'utc')::date as day, s.account_id, min(s.created_at) as shared_at
     from status_links l join statuses s on s.id = l.status_id join accounts a on a.id = s.account_id
     where l.status_id > $2 and s.visibility = 'public' and not s.deleted and not s.sensitive and s.spoiler_text = ''
       and not a.suspended and not a.silenced
     group by 1, 2, 3
   ), counted as (
     select link, day, count(*) as observed, max(shared_at) as peak_at from shared group by 1, 2
   ), scored as (
     select c.link, (c.observed - e.expected) ^ 2 / e.expected
       * 0.5 ^ greatest(0, extract(epoch from $1::timestamptz - c.peak_at) / 3600 / ${HALF_LIFE}) as score
     from counted c left join counted y on y.link = c.link and y.day = c.day - 1
     cross join lateral (select greatest(1, coalesce(y.observed, 0))::numeric as expected) e
     where c.observed >= ${MIN_ACCOUNTS} and c.observed >= e.expected
       and c.peak_at >= $1::timestamptz - interval '${COOLDOWN} hours'
   )
   select encode(link, 'hex') as key from scored group by link having max(score) >= ${MIN_SCORE}
   order by max(score) desc, link limit ${MAX}`,
);

/** SHA-256 of trending links at `now`, in hexadecimal. */
export const trendingLinks = async (db: Db, now: string): Promise<string[]> =>
  (await db.query<{ key: string }>(LINKS, [now, idAt(Date.parse(now) - MAX_DAYS * DAY)])).map(
    ({ key }) => key,
  );

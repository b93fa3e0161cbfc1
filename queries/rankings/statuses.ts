import { idAt } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';

const MAX = 200;
const DAY = 86_400_000;
/**
 * The number of newest posts that are considered, and their maximum age. A score of a million interactions
 * lasts 42 hours.
 */
const CANDIDATES = 50_000;
const MAX_DAYS = 3;
/**
 * As in Mastodon: the minimum number of favourites and reblogs, the half-life of the score (seconds), the
 * minimum score.
 */
const MIN_INTERACTIONS = 5;
const HALF_LIFE = 3_600;
const MIN_SCORE = 0.3;

const mayTrend = (status: string, author: string): string =>
  `${status}.visibility = 'public' and not ${status}.deleted and not ${status}.sensitive and ${status}.spoiler_text = ''
   and ${author}.discoverable and not ${author}.suspended and not ${author}.silenced and not ${author}.sensitized`;

/**
 * Selects posts of discoverable accounts that others favourite and reblog: no replies, no posts with a
 * warning, and none that quote such a post. The score is that of Mastodon. The visibility for a viewer is
 * checked when the ranking is read.
 */
const STATUSES = statement<{ key: string }>(
  'rank_statuses',
  `select id as key from (
     select s.id, (c.favourites_count + c.reblogs_count - 1) ^ 2
       * 0.5 ^ greatest(0, extract(epoch from $1::timestamptz - s.created_at) / ${HALF_LIFE}) as score
     from (
       select * from statuses
       where id > $2 and visibility = 'public' and reblog_of_id is null and not deleted
         and in_reply_to_id is null and in_reply_to_uri is null and not sensitive and spoiler_text = ''
       order by id desc limit ${CANDIDATES}
     ) s
     join status_stats c on c.status_id = s.id and c.favourites_count + c.reblogs_count >= ${MIN_INTERACTIONS}
     join accounts a on a.id = s.account_id
     where ${mayTrend('s', 'a')} and (s.quote_id is null or s.quote_state = 'accepted' and exists (
       select from statuses q join accounts qa on qa.id = q.account_id where q.id = s.quote_id and ${mayTrend('q', 'qa')}))
   ) scored
   where score >= ${MIN_SCORE} order by score desc, id desc limit ${MAX}`,
);

/** Returns the ids of trending posts at `now`. */
export const trendingStatuses = async (db: Db, now: string): Promise<string[]> =>
  (await db.query(STATUSES, [now, idAt(Date.parse(now) - MAX_DAYS * DAY)])).map(({ key }) => key);

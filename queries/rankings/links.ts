import { idAt } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';
import { firstDay, trendingKeys } from './peaks.ts';

const MAX = 200;
/** Hours, as in Mastodon. */
const HALF_LIFE = 8;

/** Selects links that accounts share in public. */
const LINKS = statement<{ key: string }>(
  'rank_links',
  `with shared as (
     select l.link, (s.created_at at time zone 'utc')::date as day, s.account_id, min(s.created_at) as shared_at
     from status_links l join statuses s on s.id = l.status_id join accounts a on a.id = s.account_id
     where l.status_id > $2 and s.visibility = 'public' and not s.deleted and not s.sensitive and s.spoiler_text = ''
       and not a.suspended and not a.silenced
     group by 1, 2, 3
   ), counted as (
     select encode(link, 'hex') as key, day, count(*) as observed, max(shared_at) as peak_at from shared group by 1, 2
   )
   ${trendingKeys('counted', HALF_LIFE, MAX)}`,
);

/** Returns the SHA-256 of trending links at `now`, in hexadecimal. */
export const trendingLinks = async (db: Db, now: string): Promise<string[]> =>
  (await db.query(LINKS, [now, idAt(firstDay(now))])).map(({ key }) => key);

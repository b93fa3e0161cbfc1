import { idAt } from '../../src/kernel/ids.ts';
import { statement, type Db } from '../../src/kernel/read.ts';

const MAX = 200;
const DAY = 86_400_000;
/** The newest ones that are looked at, and how old they may be. */
const CANDIDATES = 50_000;
const MAX_DAYS = 7;
const MIN_INTERACTIONS = 3;

/**
 * Posts that others favourite and reblog, of people who let themselves be found; each interaction counts half after a day.
 * No answers, and nothing that hides behind a warning. Who may see what is asked when reading.
 */
const STATUSES = statement(
  'rank_statuses',
  `select s.id as key from (
     select id, account_id, created_at from statuses
     where id > $2 and visibility = 'public' and reblog_of_id is null and not deleted
       and in_reply_to_id is null and in_reply_to_uri is null and not sensitive and spoiler_text = ''
     order by id desc limit ${CANDIDATES}
   ) s
   join status_stats c on c.status_id = s.id and c.favourites_count + c.reblogs_count >= ${MIN_INTERACTIONS}
   join accounts a on a.id = s.account_id and a.discoverable and not a.suspended
   order by (c.favourites_count + c.reblogs_count)
     * 0.5 ^ greatest(0, extract(epoch from $1::timestamptz - s.created_at) / 86400) desc, s.id desc
   limit ${MAX}`,
);

/** Ids of trending posts at `now`. */
export const trendingStatuses = async (db: Db, now: string): Promise<string[]> =>
  (await db.query<{ key: string }>(STATUSES, [now, idAt(Date.parse(now) - MAX_DAYS * DAY)])).map(
    ({ key }) => key,
  );

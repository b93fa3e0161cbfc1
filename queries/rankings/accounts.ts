import { type Db, statement } from '#kernel/read.ts';

/** The maximum number of popular accounts. */
const MAX = 300;

/**
 * Selects discoverable local accounts with the most followers, for viewers who follow no account yet.
 * Accounts with a post within a month come first. The viewer's blocks and mutes apply when the ranking is
 * read.
 */
const POPULAR = statement<{ key: string }>(
  'rank_accounts',
  `select a.id as key from accounts a join account_stats ac on ac.account_id = a.id
   where a.domain is null and a.discoverable and not a.locked and not a.suspended and a.moved_to is null
     and ac.followers_count > 0
   order by ac.last_status_at >= ($1::timestamptz at time zone 'utc')::date - 30 desc nulls last,
     ac.followers_count desc, a.id
   limit ${MAX}`,
);

/** Returns the ids of popular accounts at `now`, most popular first. */
export const popularAccounts = async (db: Db, now: string): Promise<string[]> =>
  (await db.query(POPULAR, [now])).map(({ key }) => key);

import { idAt } from '../../src/kernel/ids.ts';
import { statement, type Db } from '../../src/kernel/read.ts';

const MAX = 200;
const DAY = 86_400_000;
const MAX_DAYS = 3;
const MIN_ACCOUNTS = 3;

/** Links that several people shared in public within three days; each of them counts half after a day, once. */
const LINKS = statement(
  'rank_links',
  `select encode(link, 'hex') as key from (
     select l.link, s.account_id, max(s.created_at) as shared_at
     from status_links l join statuses s on s.id = l.status_id join accounts a on a.id = s.account_id
     where l.status_id > $2 and s.visibility = 'public' and not s.deleted and not a.suspended
     group by 1, 2
   ) shared
   group by link having count(*) >= ${MIN_ACCOUNTS}
   order by sum(0.5 ^ greatest(0, extract(epoch from $1::timestamptz - shared_at) / 86400)) desc, link
   limit ${MAX}`,
);

/** SHA-256 of trending links at `now`, in hexadecimal. */
export const trendingLinks = async (db: Db, now: string): Promise<string[]> =>
  (await db.query<{ key: string }>(LINKS, [now, idAt(Date.parse(now) - MAX_DAYS * DAY)])).map(
    ({ key }) => key,
  );

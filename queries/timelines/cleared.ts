import type { Id } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';

/** The number of newest posts of a home timeline that are searched, as in Mastodon. */
const NEWEST = 400;

const CLEARED = statement<{ id: Id }>(
  'timeline_cleared',
  `with newest as materialized (
     (select status_id from home_entries where account_id = $1 order by status_id desc limit ${NEWEST})
     union
     (select status_id from home_posts
      where account_id = $2 and wide and exists (
        select from home_follows f where f.account_id = $1 and f.target_account_id = $2)
      order by status_id desc limit ${NEWEST})
   )
   select s.id from newest
   join statuses s on s.id = newest.status_id
   left join statuses o on o.id = s.reblog_of_id
   where not s.deleted and (s.account_id = $2 or o.account_id = $2 or exists (
     select from status_mentions m where m.account_id = $2 and m.status_id in (s.id, s.reblog_of_id)))
   order by s.id desc limit ${NEWEST}`,
);

/**
 * Returns the posts that leave a viewer's timelines when the viewer mutes or blocks an account: posts by it,
 * reblogs of it, and mentions of it.
 */
export async function clearedPosts(db: Db, readerId: Id, targetId: Id): Promise<Id[]> {
  const rows = await db.query(CLEARED, [readerId, targetId]);
  return rows.map(({ id }) => id);
}

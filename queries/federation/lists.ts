import { type Db, statement } from '#kernel/read.ts';
import { listedForOwner } from '../visibility/accounts.ts';
import { publicToServers } from '../visibility/federation.ts';

/** An item of a collection for other servers: its URI, and the id for paging. */
export interface ListedUri {
  cursor: string;
  uri: string;
}

const followsOf = (name: string, listed: string, owner: string) =>
  statement<ListedUri>(
    name,
    `select f.id as cursor, a.uri from follows f join accounts a on a.id = f.${listed}
     where f.${owner} = $1 and f.id < $2 and ${listedForOwner()} order by f.id desc limit $3`,
  );
const LISTS = {
  followers: followsOf('federation_followers', 'account_id', 'target_account_id'),
  following: followsOf('federation_following', 'target_account_id', 'account_id'),
  replies: statement<ListedUri>(
    'federation_replies',
    `select s.id as cursor, s.uri from statuses s join accounts a on a.id = s.account_id
     where s.in_reply_to_id = $1 and s.id < $2 and ${publicToServers()} order by s.id desc limit $3`,
  ),
};

/** The maximum number of posts of one thread. */
const MAX_THREAD = 200;
const MAX_DEPTH = 50;
const THREAD = statement<{ uri: string }>(
  'federation_thread',
  `with recursive thread (id, depth) as (
     select s.id, 0 from statuses s where s.id = $1 and s.conversation_id = $1
     union all
     (select s.id, t.depth + 1 from thread t join statuses s on s.in_reply_to_id = t.id and s.conversation_id = $1
      where t.depth < ${MAX_DEPTH} limit ${MAX_THREAD}))
   select s.uri from thread t join statuses s on s.id = t.id join accounts a on a.id = s.account_id
   where ${publicToServers()} order by s.id limit ${MAX_THREAD}`,
);

/** Returns the URIs of a thread's public posts, oldest first, at most `MAX_THREAD`. */
export const publicThread = async (db: Db, conversationId: string): Promise<string[]> =>
  (await db.query(THREAD, [conversationId])).map(({ uri }) => uri);

/**
 * Returns a page of the followers of an account, of the accounts that it follows, or of the public replies to
 * a post; newest first.
 */
export const listBelow = (
  db: Db,
  list: keyof typeof LISTS,
  of: string,
  before: string,
  limit: number,
): Promise<ListedUri[]> => db.query(LISTS[list], [of, before, limit]);

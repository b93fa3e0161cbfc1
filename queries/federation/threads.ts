import type { Id } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';

/* Threads whose remote posts arrived in any order. */

/** The maximum number of ancestors that are read before a thread counts as too deep. */
const MAX_WALK = 5_000;

const AWAITING = statement<{ id: string; account_id: string }>(
  'federation_replies_awaiting',
  `select id, account_id from statuses
   where in_reply_to_uri = any($1) and in_reply_to_uri is not null and not deleted and id < $2
   order by id desc limit $3`,
);
const AWAITED = statement<{ uri: string }>(
  'federation_awaited_by',
  `select in_reply_to_uri as uri from statuses
   where uri = $1 and not local and reblog_of_id is null and not deleted and in_reply_to_uri is not null limit 1`,
);
const AWAITED_ABOVE = statement<{ uri: string }>(
  'federation_awaited_above',
  `with recursive thread (id, parent, uri, step) as (
     select id, in_reply_to_id, in_reply_to_uri, 0 from statuses where id = $1
     union all
     select s.id, s.in_reply_to_id, s.in_reply_to_uri, t.step + 1 from thread t join statuses s on s.id = t.parent
     where t.step < ${MAX_WALK}
   )
   select uri from thread where uri is not null limit 1`,
);
const BELOW = statement<{ below: boolean }>(
  'federation_is_below',
  `with recursive thread (id, parent, step) as (
     select id, in_reply_to_id, 0 from statuses where id = $1
     union all
     select s.id, s.in_reply_to_id, t.step + 1 from thread t join statuses s on s.id = t.parent
     where t.step < ${MAX_WALK}
   )
   select coalesce(bool_or(id = $2) or max(step) >= ${MAX_WALK}, false) as below from thread`,
);
const MUTERS = statement<{ id: string }>(
  'federation_thread_muters',
  `select account_id as id from thread_mutes where conversation_id = $1 and account_id < $2
   order by account_id desc limit $3`,
);

/** Returns replies with ids below `before` that wait for the post with one of these URIs, newest first. */
export const repliesAwaiting = (
  db: Db,
  uris: readonly string[],
  before: Id,
  limit: number,
): Promise<{ id: Id; account_id: Id }[]> => db.query(AWAITING, [uris, before, limit]);

/** Returns the URI of the parent that a known remote post waits for; undefined when it waits for none. */
export const awaitedBy = async (db: Db, uri: string): Promise<string | undefined> =>
  (await db.query(AWAITED, [uri]))[0]?.uri;

/** Returns the URI that the first known post of a thread waits for. */
export const awaitedAbove = async (db: Db, statusId: Id): Promise<string | undefined> =>
  (await db.query(AWAITED_ABOVE, [statusId]))[0]?.uri;

/**
 * Returns true if a post is a descendant of another one, and also when there are too many posts between them
 * to tell.
 */
export const isBelow = async (db: Db, statusId: Id, rootId: Id): Promise<boolean> =>
  (await db.query(BELOW, [statusId, rootId]))[0]?.below ?? false;

/** Returns accounts with ids below `before` that muted a thread. */
export const threadMuters = (db: Db, conversationId: Id, before: Id, limit: number): Promise<{ id: Id }[]> =>
  db.query(MUTERS, [conversationId, before, limit]);

import { ReplyLinked } from '#events/statuses.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { countReply, countStatuses } from './counts.ts';

/**
 * The members precede all texts of users, so the first match is the right one. A deleted parent is not named.
 */
const LINK = statement(
  'statuses_link_reply',
  `update statuses s set in_reply_to_id = $2, in_reply_to_account_id = $3, in_reply_to_uri = null,
     body = regexp_replace(s.body, '"in_reply_to_id":null,"in_reply_to_account_id":null',
       case when exists (select from statuses p where p.id = $2 and p.deleted) then '"in_reply_to_id":null'
         else '"in_reply_to_id":"' || $2::bigint || '"' end || ',"in_reply_to_account_id":"' || $3::bigint || '"')
   where s.id = $1`,
);
/**
 * Joins the reply's own thread to that of its parent. Direct posts below it that were linked have threads of
 * their own.
 */
const JOIN_THREAD = statement(
  'statuses_join_thread',
  `with recursive thread (id) as (
     select $1::bigint
     union
     select s.id from thread t join statuses s on s.in_reply_to_id = t.id where s.conversation_id = $1
   )
   update statuses s set conversation_id = coalesce((select j.conversation_id from joined_threads j where j.id = $2), $2)
   from thread t where s.id = t.id`,
);
const NOTE_JOINED = statement(
  'statuses_note_joined_thread',
  `insert into joined_threads (id, conversation_id)
   select n.id, coalesce(j.conversation_id, n.conversation_id)
   from (values ($1::bigint, $2::bigint)) as n (id, conversation_id) left join joined_threads j on j.id = n.conversation_id`,
);
const FORWARD_JOINED = statement(
  'statuses_forward_joined_threads',
  `update joined_threads j set conversation_id = n.conversation_id from joined_threads n
   where n.id = $1 and j.conversation_id = $1`,
);
const FOLLOW_THREADS = statement(
  'statuses_follow_threads',
  `update statuses s set conversation_id = j.conversation_id from joined_threads j
   where s.id = any($1::bigint[]) and j.id = s.conversation_id`,
);

/** A reply may have been written before its thread was joined to another one, and arrive afterwards. */
export async function followThreads(
  posts: readonly { id: string; in_reply_to_id: string | null }[],
  db: Db,
): Promise<void> {
  const replies = posts.filter(({ in_reply_to_id }) => in_reply_to_id !== null);
  if (replies.length > 0) await db.query(FOLLOW_THREADS, [replies.map(({ id }) => id)]);
}

async function joinThread(id: string, conversationId: string, db: Db): Promise<void> {
  await db.query(JOIN_THREAD, [id, conversationId]);
  await db.query(NOTE_JOINED, [id, conversationId]);
  await db.query(FORWARD_JOINED, [id]);
}

/** A barrier: all replies below it change their thread. */
export const replyLinkHandlers: readonly BoundHandler[] = [
  on(ReplyLinked, {
    apply: async (events, db) => {
      for (const { data } of events) {
        const { id, in_reply_to_id, in_reply_to_account_id, conversation_id } = data;
        await db.query(LINK, [id, in_reply_to_id, in_reply_to_account_id]);
        if (conversation_id !== id) await joinThread(id, conversation_id, db);
      }
      await countStatuses(
        events.flatMap(({ data }) => countReply(data, 1)),
        db,
      );
    },
  }),
];

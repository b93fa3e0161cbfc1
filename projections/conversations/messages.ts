import { createHash } from 'node:crypto';
import type { StatusData } from '#events/statuses.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import type { Db } from '#kernel/read.ts';
import { batch, bigint, text, timestamptz } from '#kernel/table/index.ts';
import { verdictBy, VERDICTS } from '../notification-policy/verdict.ts';
import { MENTIONS } from './tables.ts';

const MENTION = MENTIONS.add();
/**
 * Arrived messages `n` become rows of conversations. A conversation begins with the first of its posts, and
 * has its id.
 */
const PLACED = `summed as (
     select account_id, thread_id, circle, min(participants)::bigint[] as participants,
       (array_agg(status_id order by position, status_id))[1] as first_id,
       (array_agg(status_id order by position desc, status_id desc))[1] as newest_status_id,
       max(status_id) as last_status_id,
       max(position) filter (where author_id <> account_id) as heard_position,
       max(position) filter (where author_id = account_id) as read_position
     from arrived group by account_id, thread_id, circle
   ), kept as (
     insert into conversations as c (account_id, id, thread_id, circle, participants, last_status_id, newest_status_id,
       heard_position, read_position)
     select account_id, first_id, thread_id, circle, participants, last_status_id, newest_status_id, heard_position,
       read_position from summed
     on conflict (account_id, thread_id, circle) do update set
       last_status_id = greatest(c.last_status_id, excluded.last_status_id),
       newest_status_id = excluded.newest_status_id,
       heard_position = greatest(c.heard_position, excluded.heard_position),
       read_position = greatest(c.read_position, excluded.read_position),
       marked_unread = c.marked_unread and excluded.read_position is null
     returning c.account_id, c.id, c.thread_id, c.circle
   )
   insert into conversation_messages (status_id, account_id, conversation_id, position, own)
   select n.status_id, n.account_id, k.id, n.position, n.author_id = n.account_id
   from arrived n join kept k using (account_id, thread_id, circle)`;
/**
 * Selects messages that are new to their participant, except from blocked and muted authors. The
 * participant's policy withholds some, as it filters notifications.
 */
const PLACE = batch(
  'conversations_place',
  {
    position: bigint,
    status_id: bigint,
    from_account_id: bigint,
    created_at: timestamptz,
    private_thread: bigint,
    account_id: bigint,
    circle: text,
    participants: text,
  },
  (rows) => `with judged as (
     select n.*, case when n.from_account_id = n.account_id then ${VERDICTS.accept} else ${verdictBy('conversation')} end as verdict
     from ${rows}
     left join conversation_people r on r.account_id = n.account_id
     left join conversation_people f on f.account_id = n.from_account_id
     where not exists (select from conversation_messages m
         where m.status_id = n.status_id and m.account_id = n.account_id)
       and not exists (select from conversation_withheld w
         where w.status_id = n.status_id and w.account_id = n.account_id)
       and not exists (select from conversation_silences q
         where q.account_id = n.account_id and q.target_account_id = n.from_account_id
           and (q.expires_at is null or q.expires_at > n.created_at))
   ), withheld as (
     insert into conversation_withheld (status_id, account_id, author_id, position, created_at, thread_id, circle,
       participants, dropped)
     select status_id, account_id, from_account_id, position, created_at, private_thread, circle, participants,
       verdict = ${VERDICTS.drop} from judged where verdict > ${VERDICTS.accept}
   ), arrived as (
     select position, status_id, from_account_id as author_id, private_thread as thread_id, account_id, circle, participants
     from judged where verdict = ${VERDICTS.accept}
   ), ${PLACED}`,
);
/** Withheld messages arrive when the request is accepted. */
const RELEASE = batch(
  'conversations_release',
  { account_id: bigint, from_account_id: bigint, position: bigint },
  (rows) => `with arrived as (
     delete from conversation_withheld w using ${rows}
     where w.account_id = n.account_id and w.author_id = n.from_account_id and not w.dropped
     returning n.position, w.status_id, w.author_id, w.thread_id, w.account_id, w.circle, w.participants
   ), ${PLACED}`,
);

/** Adds the messages of accepted accounts to the conversations of the accounts that accept them. */
export async function releaseMessages(
  requests: readonly RecordedEvent<string, { account_id: string; from_account_id: string }>[],
  db: Db,
): Promise<void> {
  await RELEASE(
    requests.map(({ data, position }) => ({ ...data, position })),
    db,
  );
}

/** A post for the mentioned accounts only. */
type Message = Pick<
  StatusData,
  'id' | 'account_id' | 'local' | 'created_at' | 'conversation_id' | 'visibility' | 'mentions'
>;
type MessageEvent = RecordedEvent<string, Message>;

/**
 * Returns the local accounts that have the post in a conversation: its author and mentioned accounts; none
 * unless it is direct.
 */
function readersOf({ account_id, local, visibility, mentions }: Message): string[] {
  if (visibility !== 'direct') return [];
  // The handle of a remote account has a domain.
  const mentioned = mentions.filter(({ acct }) => !acct.includes('@')).map(({ id }) => id);
  return [...new Set(local ? [account_id, ...mentioned] : mentioned)];
}

/**
 * Returns the ids of a direct post, its author and its participants; none for other posts, which write
 * nothing.
 */
export function keysOfMessage({ data }: { data: Message }): string[] {
  const readers = readersOf(data);
  return readers.length === 0
    ? []
    : [`status ${data.id}`, ...new Set([data.account_id, ...readers].map((id) => `reader ${id}`))];
}

/** Adds posts to the conversations of their participants, unless they are there; in two statements. */
export async function placeMessages(events: readonly MessageEvent[], db: Db): Promise<void> {
  const rows = events.flatMap(({ data, position }) => {
    const readers = readersOf(data);
    if (readers.length === 0) return [];
    const everybody = [...new Set([data.account_id, ...data.mentions.map(({ id }) => id)])].sort(byNumber);
    return readers.map((reader) => {
      const participants = `{${everybody.filter((id) => id !== reader).join(',')}}`;
      return {
        position,
        status_id: data.id,
        from_account_id: data.account_id,
        created_at: data.created_at,
        private_thread: data.conversation_id,
        account_id: reader,
        circle: createHash('sha256').update(participants).digest('base64url'),
        participants,
      };
    });
  });
  if (rows.length === 0) return;
  const mentions = events
    .filter(({ data }) => data.visibility === 'direct')
    .flatMap(({ data, position }) =>
      data.mentions.map(({ id: account_id }) => ({
        status_id: data.id,
        account_id,
        author_id: data.account_id,
        conversation_id: data.conversation_id,
        position,
      })),
    );
  // Comes first, because a message may reply to another one of the same run.
  await MENTION(mentions, db);
  await PLACE(rows, db);
}

const byNumber = (a: string, b: string): number => (BigInt(a) < BigInt(b) ? -1 : 1);

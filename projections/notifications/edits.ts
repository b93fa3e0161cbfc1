import { StatusEdited } from '#events/statuses.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { arrive } from './arrivals.ts';
import { keysOfPost, mentionArrivals, rememberMentions } from './mentions.ts';
import { QUOTES_KEY } from './quotes.ts';

const EDITS = `unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::timestamptz[])
     as n (status_id, account_id, edit_id, created_at)`;
/** A later edit replaces an earlier one. */
const FORGET_EDITS = [
  statement(
    'notifications_forget_update',
    `delete from notifications t using unnest($1::bigint[]) as n (status_id)
     where t.status_id = n.status_id and t.type = 'update'`,
  ),
  statement(
    'notifications_forget_quoted_update',
    `delete from notifications t using notification_quotes q
     where q.quoted_id = any($1) and t.status_id = q.status_id and t.type = 'quoted_update'`,
  ),
];
/** The newest quote of an account is shown. */
const TELL_QUOTERS = statement(
  'notifications_quoted_update',
  `insert into notifications (account_id, id, type, from_account_id, status_id, created_at, filtered)
   select distinct on (q.account_id, n.edit_id)
     q.account_id, n.edit_id, 'quoted_update', n.account_id, q.status_id, n.created_at, false
   from ${EDITS} join notification_quotes q on q.quoted_id = n.status_id and q.account_id <> n.account_id
   order by q.account_id, n.edit_id, q.status_id desc
   on conflict do nothing`,
);
const TELL_REBLOGGERS = statement(
  'notifications_update',
  `insert into notifications (account_id, id, type, from_account_id, status_id, created_at, filtered)
   select b.account_id, n.edit_id, 'update', n.account_id, n.status_id, n.created_at, false
   from ${EDITS} join notification_reblogs b on b.status_id = n.status_id and b.account_id <> n.account_id
   on conflict do nothing`,
);

/** Edits of posts notify accounts that are now mentioned, that quoted the post, and that reblogged it. */
export const editHandlers: readonly BoundHandler[] = [
  on(StatusEdited, {
    keys: ({ data }) => [...keysOfPost(data), data.edit_id],
    reads: () => [QUOTES_KEY],
    apply: async (events, db) => {
      const told = new Set(
        (await rememberMentions(events, db)).map(({ status_id, account_id }) => `${status_id} ${account_id}`),
      );
      const ids = events.map(({ data }) => data.id);
      const edits = [
        ids,
        events.map(({ data }) => data.account_id),
        events.map(({ data }) => data.edit_id),
        events.map(({ metadata }) => metadata.time),
      ];
      const arrivals = events.flatMap((event) =>
        mentionArrivals(event).filter(({ account_id }) => told.has(`${event.data.id} ${account_id}`)),
      );
      await Promise.all([...FORGET_EDITS.map((forget) => db.query(forget, [ids])), arrive(arrivals, db)]);
      await Promise.all([TELL_QUOTERS, TELL_REBLOGGERS].map((tell) => db.query(tell, edits)));
    },
  }),
];

import { VoteCast } from '#events/polls.ts';
import { PollClosed } from '#events/statuses.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

const VOTE = statement(
  'notification_voters_insert',
  `insert into notification_voters (poll_id, account_id) select * from unnest($1::bigint[], $2::bigint[])
   on conflict do nothing`,
);
const TELL_VOTERS = statement(
  'notifications_poll',
  `insert into notifications (account_id, id, type, from_account_id, status_id, created_at, filtered)
   select told.account_id, n.close_id, 'poll', n.account_id, n.status_id, n.created_at, false
   from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::timestamptz[])
     as n (status_id, account_id, poll_id, close_id, created_at)
   cross join lateral (
     select n.account_id union select v.account_id from notification_voters v where v.poll_id = n.poll_id
   ) told
   join notification_people r on r.account_id = told.account_id and r.local`,
);
const FORGET_VOTERS = statement(
  'notification_voters_delete',
  'delete from notification_voters where poll_id = any($1)',
);
/** The ends of polls notify their authors and voters. */
export const pollHandlers: readonly BoundHandler[] = [
  on(VoteCast, {
    keys: ({ data }) => [data.poll_id, data.account_id],
    additive: true,
    apply: async (events, db) => {
      await db.query(VOTE, [
        events.map(({ data }) => data.poll_id),
        events.map(({ data }) => data.account_id),
      ]);
    },
  }),
  on(PollClosed, {
    keys: ({ data }) => [data.id, data.account_id, data.poll_id, data.close_id],
    apply: async (events, db) => {
      const polls = events.map(({ data }) => data.poll_id);
      await Promise.all([
        db.query(TELL_VOTERS, [
          events.map(({ data }) => data.id),
          events.map(({ data }) => data.account_id),
          polls,
          events.map(({ data }) => data.close_id),
          events.map(({ metadata }) => metadata.time),
        ]),
        db.query(FORGET_VOTERS, [polls]),
      ]);
    },
  }),
];

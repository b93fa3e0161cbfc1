import { VoteCast } from '#events/polls.ts';
import { PollClosed } from '#events/statuses.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { batch, bigint, timestamptz, together } from '#kernel/table/index.ts';
import { VOTERS } from './tables.ts';

const TELL_VOTERS = batch(
  'notifications_poll',
  { status_id: bigint, account_id: bigint, poll_id: bigint, close_id: bigint, created_at: timestamptz },
  (
    rows,
  ) => `insert into notifications (account_id, id, type, from_account_id, status_id, created_at, filtered)
   select told.account_id, n.close_id, 'poll', n.account_id, n.status_id, n.created_at, false
   from ${rows}
   cross join lateral (
     select n.account_id union select v.account_id from notification_voters v where v.poll_id = n.poll_id
   ) told
   join notification_people r on r.account_id = told.account_id and r.local`,
);
const FORGET_VOTERS = VOTERS.remove('poll_id');

/** The ends of polls notify their authors and voters. */
export const pollHandlers: readonly BoundHandler[] = [
  on(VoteCast, {
    keys: ({ data }) => [data.poll_id, data.account_id],
    additive: true,
    apply: VOTERS.add().each(({ data }) => data),
  }),
  on(PollClosed, {
    keys: ({ data }) => [data.id, data.account_id, data.poll_id, data.close_id],
    apply: together(
      TELL_VOTERS.each(({ data, metadata: { time } }) => ({ ...data, status_id: data.id, created_at: time })),
      FORGET_VOTERS.each(({ data }) => data),
    ),
  }),
];

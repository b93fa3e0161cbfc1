import {
  PollClosed,
  QuoteRevoked,
  StatusCreated,
  StatusDeleted,
  StatusEdited,
} from '../../src/events/statuses.ts';
import { VoteCast } from '../../src/events/polls.ts';
import type { RecordedOf } from '../../src/kernel/event.ts';
import { on, type BoundHandler } from '../../src/kernel/projection.ts';
import { statement, type Db } from '../../src/kernel/read.ts';
import { arrive, type Arrival } from './arrivals.ts';

type Created = RecordedOf<typeof StatusCreated>;
type Edited = RecordedOf<typeof StatusEdited>;

const MENTIONS = statement(
  'notification_mentions_insert',
  `insert into notification_mentions (status_id, account_id, author_id, conversation_id, position)
   select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
   on conflict do nothing returning status_id, account_id`,
);
const QUOTES = statement(
  'notification_quotes_insert',
  `insert into notification_quotes (quoted_id, status_id, account_id)
   select * from unnest($1::bigint[], $2::bigint[], $3::bigint[])`,
);
const REVOKE = statement(
  'notification_quotes_revoke',
  'delete from notification_quotes where status_id = any($1)',
);
/** Who follows the author with notifications on, in a language that he wants. */
const TELL_FOLLOWERS = statement(
  'notifications_status',
  `insert into notifications (account_id, id, type, from_account_id, status_id, created_at, filtered)
   select f.account_id, n.id, 'status', n.account_id, n.id, n.created_at, false
   from unnest($1::bigint[], $2::bigint[], $3::text[], $4::timestamptz[]) as n (account_id, id, language, created_at)
   join notification_follows f on f.target_account_id = n.account_id and f.notify
     and (f.languages is null or n.language is null or n.language = any(f.languages))
   join notification_people r on r.account_id = f.account_id and r.local
   on conflict do nothing`,
);
const EDITS = `unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::timestamptz[])
     as n (status_id, account_id, edit_id, created_at)`;
/** A later edit takes the place of an earlier one. */
const FORGET_EDITS = statement(
  'notifications_forget_edits',
  `delete from notifications t using unnest($1::bigint[]) as n (status_id)
   where t.type = 'update' and t.status_id = n.status_id
     or t.type = 'quoted_update' and t.status_id in (
       select q.status_id from notification_quotes q where q.quoted_id = n.status_id)`,
);
/** Of several quotes by one account, the newest is the one that is shown. */
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
const FORGET = [
  statement('notifications_forget_status', 'delete from notifications where status_id = any($1)'),
  statement('notification_mentions_forget', 'delete from notification_mentions where status_id = any($1)'),
  statement(
    'notification_quotes_forget',
    'delete from notification_quotes where quoted_id = any($1) or status_id = any($1)',
  ),
  statement('notification_reblogs_forget', 'delete from notification_reblogs where status_id = any($1)'),
];

/** Posts, their edits and their polls. */
export const postHandlers: readonly BoundHandler[] = [
  on(StatusCreated, {
    keys: ({ data }) => [...keysOf(data), ...(data.quote ? [data.quote.id, data.quote.account_id] : [])],
    additive: true,
    apply: async (events, db) => {
      // In this order: whoever is mentioned is told of that, and of nothing else.
      await Promise.all([
        rememberMentions(events, db),
        rememberQuotes(events, db),
        arrive(
          events.flatMap((event) => [...mentionArrivals(event), ...quoteArrivals(event)]),
          db,
        ),
        tellFollowers(events, db),
      ]);
    },
  }),
  on(StatusEdited, {
    keys: ({ data }) => [...keysOf(data), data.edit_id],
    apply: async (events, db) => {
      const told = new Set(
        (await rememberMentions(events, db)).map(({ status_id, account_id }) => `${status_id} ${account_id}`),
      );
      const edits = [
        events.map(({ data }) => data.id),
        events.map(({ data }) => data.account_id),
        events.map(({ data }) => data.edit_id),
        events.map(({ metadata }) => metadata.time),
      ];
      await Promise.all([
        db.query(FORGET_EDITS, [events.map(({ data }) => data.id)]),
        arrive(
          events.flatMap((event) =>
            mentionArrivals(event)
              .filter(({ account_id }) => told.has(`${event.data.id} ${account_id}`))
              .map((arrival) => ({ ...arrival, id: event.data.edit_id })),
          ),
          db,
        ),
        db.query(TELL_QUOTERS, edits),
        db.query(TELL_REBLOGGERS, edits),
      ]);
    },
  }),
  // A barrier: it takes away what posts by others and about others left.
  on(StatusDeleted, {
    apply: async (events, db) => {
      const ids = events.map(({ data }) => data.id);
      await Promise.all(FORGET.map((forget) => db.query(forget, [ids])));
    },
  }),
  on(QuoteRevoked, {
    keys: ({ data }) => [data.id, data.quoted_id],
    apply: async (events, db) => {
      await db.query(REVOKE, [events.map(({ data }) => data.id)]);
    },
  }),
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

const keysOf = ({ id, account_id, mentions }: (Created | Edited)['data']): string[] => [
  id,
  account_id,
  ...mentions.map((mention) => mention.id),
];

const mentionArrivals = ({ data, metadata, position }: Created | Edited): Arrival[] =>
  data.mentions.map((mention) => ({
    account_id: mention.id,
    id: data.id,
    type: 'mention',
    from_account_id: data.account_id,
    status_id: data.id,
    created_at: metadata.time,
    private_thread: data.visibility === 'direct' ? data.conversation_id : null,
    position,
  }));

function quoteArrivals({ data, metadata, position }: Created): Arrival[] {
  if (data.quote?.state !== 'accepted') return [];
  return [
    {
      account_id: data.quote.account_id,
      id: data.id,
      type: 'quote',
      from_account_id: data.account_id,
      status_id: data.id,
      created_at: metadata.time,
      private_thread: null,
      position,
    },
  ];
}

/** @returns those that were not there yet */
async function rememberMentions(
  events: readonly (Created | Edited)[],
  db: Db,
): Promise<{ status_id: string; account_id: string }[]> {
  const rows = events.flatMap(({ data, position }) =>
    data.mentions.map(({ id: who }) => ({ data, position, who })),
  );
  if (rows.length === 0) return [];
  return db.query(MENTIONS, [
    rows.map(({ data }) => data.id),
    rows.map(({ who }) => who),
    rows.map(({ data }) => data.account_id),
    rows.map(({ data }) => (data.visibility === 'direct' ? data.conversation_id : null)),
    rows.map(({ position }) => position.toString()),
  ]);
}

async function rememberQuotes(events: readonly Created[], db: Db): Promise<void> {
  const rows = events.flatMap(({ data }) =>
    data.local && data.quote?.state === 'accepted' ? [{ data, quote: data.quote }] : [],
  );
  if (rows.length === 0) return;
  await db.query(QUOTES, [
    rows.map(({ quote }) => quote.id),
    rows.map(({ data }) => data.id),
    rows.map(({ data }) => data.account_id),
  ]);
}

/** Of everything but what is private, and answers to others. */
async function tellFollowers(events: readonly Created[], db: Db): Promise<void> {
  const posts = events.filter(
    ({ data }) =>
      data.visibility !== 'direct' &&
      (data.in_reply_to_account_id === null || data.in_reply_to_account_id === data.account_id),
  );
  if (posts.length === 0) return;
  await db.query(TELL_FOLLOWERS, [
    posts.map(({ data }) => data.account_id),
    posts.map(({ data }) => data.id),
    posts.map(({ data }) => data.language),
    posts.map(({ metadata }) => metadata.time),
  ]);
}

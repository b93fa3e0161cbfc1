import { isLate, isLinkedLate, ReplyLinked, StatusCreated, StatusDeleted } from '#events/statuses.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { arrive, keysOfVerdict, subscribersKey } from './arrivals.ts';
import { type Created, mentionArrivals, rememberMentions } from './mentions.ts';
import { quoteArrivals, QUOTES_KEY, quotesOf, rememberQuotes } from './quotes.ts';
import { forgetGroups } from './spans.ts';

/**
 * Notifies followers of the author with notifications enabled, in a language that they want. A follower whom
 * the same post mentions or quotes gets both notifications, as in Mastodon; the second one has the next id
 * (`secondNotificationId`).
 */
const TELL_FOLLOWERS = statement(
  'notifications_status',
  `insert into notifications (account_id, id, type, from_account_id, status_id, created_at, filtered)
   select f.account_id, n.id + (exists (
       select from notifications x where x.account_id = f.account_id and x.id = n.id))::int, 'status', n.account_id, n.status_id, n.created_at, false
   from unnest($1::bigint[], $2::bigint[], $3::text[], $4::timestamptz[], $5::bigint[])
     as n (account_id, id, language, created_at, status_id)
   join notification_follows f on f.target_account_id = n.account_id and f.notify
     and (coalesce(cardinality(f.languages), 0) = 0 or n.language is null or n.language = any(f.languages))
   join notification_people r on r.account_id = f.account_id and r.local
   on conflict do nothing`,
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

/** New posts, and the removals with deleted ones. */
export const postHandlers: readonly BoundHandler[] = [
  on(StatusCreated, {
    keys: ({ data }) => [data.id],
    reads: ({ data }) => [
      data.account_id,
      subscribersKey(data.account_id),
      ...data.mentions.flatMap(({ id }) => keysOfVerdict(id, data.account_id)),
      ...(data.quote ? [data.quote.id, ...keysOfVerdict(data.quote.account_id, data.account_id)] : []),
    ],
    additive: true,
    apply: async (events, db) => {
      const quotes = quotesOf(events);
      const arrivals = events.flatMap((event) =>
        isLate(event) ? [] : [...mentionArrivals(event), ...quoteArrivals(event)],
      );
      await Promise.all([rememberMentions(events, db), rememberQuotes(quotes, db), arrive(arrivals, db)]);
      // Afterwards: the second notification about a post gets another id.
      await notifyFollowers(events, db);
    },
  }),
  // Followers are notified of a reply when its parent turns out to be by the same author.
  on(ReplyLinked, {
    keys: ({ data }) => [data.id, data.link_id, data.account_id],
    additive: true,
    apply: async (events, db) => {
      const own = events.filter(
        (event) =>
          event.data.visibility !== 'direct' &&
          event.data.in_reply_to_account_id === event.data.account_id &&
          !isLinkedLate(event),
      );
      await tell(
        own.map(({ data: { link_id, ...data }, metadata }) => ({
          ...data,
          notice: link_id,
          at: metadata.time,
        })),
        db,
      );
    },
  }),
  on(StatusDeleted, {
    keys: ({ data }) => [data.id, QUOTES_KEY],
    additive: true,
    apply: async (events, db) => {
      const ids = events.map(({ data }) => data.id);
      await Promise.all([...FORGET.map((forget) => db.query(forget, [ids])), forgetGroups(events, db)]);
    },
  }),
];

/** Notifies followers of all posts except private ones and replies to others. */
async function notifyFollowers(events: readonly Created[], db: Db): Promise<void> {
  const posts = events.filter(
    (event) =>
      event.data.visibility !== 'direct' &&
      !isLate(event) &&
      (event.data.in_reply_to_account_id === event.data.account_id || isNoReply(event.data)),
  );
  await tell(
    posts.map(({ data, metadata }) => ({ ...data, notice: data.id, at: metadata.time })),
    db,
  );
}

const isNoReply = ({ in_reply_to_account_id: to, in_reply_to_uri: uri }: Created['data']): boolean =>
  to === null && uri === undefined;

interface News {
  id: string;
  account_id: string;
  language: string | null;
  /** The id of the notifications. */
  notice: string;
  at: string;
}

async function tell(news: readonly News[], db: Db): Promise<void> {
  if (news.length === 0) return;
  await db.query(TELL_FOLLOWERS, [
    news.map(({ account_id }) => account_id),
    news.map(({ notice }) => notice),
    news.map(({ language }) => language),
    news.map(({ at }) => at),
    news.map(({ id }) => id),
  ]);
}

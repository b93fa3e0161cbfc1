import { type Db, statement } from '#kernel/read.ts';

const COUNT = statement(
  'status_stats_count',
  `insert into status_stats as s (status_id, replies_count, reblogs_count, favourites_count, quotes_count)
   select status_id, sum(replies), sum(reblogs), sum(favourites), sum(quotes)
   from unnest($1::bigint[], $2::int[], $3::int[], $4::int[], $5::int[])
     as n (status_id, replies, reblogs, favourites, quotes)
   group by status_id
   on conflict (status_id) do update set
     replies_count = s.replies_count + excluded.replies_count,
     reblogs_count = s.reblogs_count + excluded.reblogs_count,
     favourites_count = s.favourites_count + excluded.favourites_count,
     quotes_count = s.quotes_count + excluded.quotes_count`,
);

/** An increment of a post's counters. */
export interface StatusCount {
  id: string;
  replies?: number;
  reblogs?: number;
  favourites?: number;
  quotes?: number;
}

/** Adds to the counters; a post may occur more than once. */
export async function countStatuses(counts: readonly StatusCount[], db: Db): Promise<void> {
  if (counts.length === 0) return;
  await db.query(COUNT, [
    counts.map(({ id }) => id),
    counts.map(({ replies }) => replies ?? 0),
    counts.map(({ reblogs }) => reblogs ?? 0),
    counts.map(({ favourites }) => favourites ?? 0),
    counts.map(({ quotes }) => quotes ?? 0),
  ]);
}

/** Counts public replies only. */
export const countReply = (
  reply: { in_reply_to_id: string | null; visibility: string },
  by: 1 | -1,
): StatusCount[] =>
  reply.in_reply_to_id !== null && (reply.visibility === 'public' || reply.visibility === 'unlisted')
    ? [{ id: reply.in_reply_to_id, replies: by }]
    : [];

import type { Db } from '#kernel/read.ts';
import { batch, bigint, integer } from '#kernel/table/index.ts';

const COUNT = batch(
  'status_stats_count',
  { status_id: bigint, replies: integer, reblogs: integer, favourites: integer, quotes: integer },
  (
    rows,
  ) => `insert into status_stats as s (status_id, replies_count, reblogs_count, favourites_count, quotes_count)
   select status_id, sum(replies), sum(reblogs), sum(favourites), sum(quotes) from ${rows}
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
  await COUNT(
    counts.map(({ id, replies = 0, reblogs = 0, favourites = 0, quotes = 0 }) => ({
      status_id: id,
      replies,
      reblogs,
      favourites,
      quotes,
    })),
    db,
  );
}

/** Counts public replies only. */
export const countReply = (
  reply: { in_reply_to_id: string | null; visibility: string },
  by: 1 | -1,
): StatusCount[] =>
  reply.in_reply_to_id !== null && (reply.visibility === 'public' || reply.visibility === 'unlisted')
    ? [{ id: reply.in_reply_to_id, replies: by }]
    : [];

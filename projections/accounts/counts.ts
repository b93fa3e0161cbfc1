import { statement, type Db } from '../../src/kernel/read.ts';

const COUNT = statement(
  'account_stats_count',
  `insert into account_stats as s (account_id, followers_count, following_count, statuses_count, last_status_at)
   select account_id, sum(followers), sum(following), sum(statuses), max(last_status_at)
   from unnest($1::bigint[], $2::int[], $3::int[], $4::int[], $5::date[])
     as n (account_id, followers, following, statuses, last_status_at)
   group by account_id
   on conflict (account_id) do update set
     followers_count = s.followers_count + excluded.followers_count,
     following_count = s.following_count + excluded.following_count,
     statuses_count = s.statuses_count + excluded.statuses_count,
     last_status_at = greatest(s.last_status_at, excluded.last_status_at)`,
);

/** What to add to the counters of an account. */
interface Count {
  id: string;
  followers?: number;
  following?: number;
  statuses?: number;
  at?: string;
}

/** Adds up; an account may stand there more than once. */
export async function count(counts: readonly Count[], db: Db): Promise<void> {
  if (counts.length === 0) return;
  await db.query(COUNT, [
    counts.map(({ id }) => id),
    counts.map(({ followers }) => followers ?? 0),
    counts.map(({ following }) => following ?? 0),
    counts.map(({ statuses }) => statuses ?? 0),
    counts.map(({ at }) => at ?? null),
  ]);
}

/** A follow more or less, on both sides. */
export function countFollows(
  events: readonly { data: { account_id: string; target_account_id: string } }[],
  by: 1 | -1,
  db: Db,
): Promise<void> {
  return count(
    events.flatMap(({ data }) => [
      { id: data.account_id, following: by },
      { id: data.target_account_id, followers: by },
    ]),
    db,
  );
}

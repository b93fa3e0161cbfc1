import type { RemoteTallies } from '#events/federation.ts';
import { type Db, statement } from '#kernel/read.ts';

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

/** A change of the counters of an account. */
interface Count {
  id: string;
  followers?: number;
  following?: number;
  statuses?: number;
  at?: string;
}

/** Adds changes to the counters; an account may occur more than once. */
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

/** Adds or removes follows, on both sides. */
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

/**
 * Totals of another server beyond those known here have columns of their own, so they commute with local
 * counts.
 */
const ELSEWHERE = statement(
  'account_stats_elsewhere',
  `insert into account_stats as s
     (account_id, followers_count, following_count, statuses_count, followers_elsewhere, following_elsewhere, statuses_elsewhere)
   select n.account_id, 0, 0, 0, coalesce(n.followers, 0), coalesce(n.following, 0), coalesce(n.statuses, 0)
   from unnest($1::bigint[], $2::int[], $3::int[], $4::int[]) as n (account_id, followers, following, statuses)
   on conflict (account_id) do update set
     followers_elsewhere = case when excluded.account_id = any($5::bigint[]) then excluded.followers_elsewhere
       else s.followers_elsewhere end,
     following_elsewhere = case when excluded.account_id = any($6::bigint[]) then excluded.following_elsewhere
       else s.following_elsewhere end,
     statuses_elsewhere = case when excluded.account_id = any($7::bigint[]) then excluded.statuses_elsewhere
       else s.statuses_elsewhere end`,
);

/** Stores the counts of other servers. An account occurs once; null leaves a number unchanged. */
export async function countElsewhere(
  counts: readonly (RemoteTallies & { account_id: string })[],
  db: Db,
): Promise<void> {
  const beyond = (name: keyof RemoteTallies): (number | null)[] =>
    counts.map((data) => {
      const tally = data[name];
      return tally && tally.total - tally.known;
    });
  const said = (name: keyof RemoteTallies): string[] =>
    counts.filter((data) => data[name] !== null).map(({ account_id }) => account_id);
  await db.query(ELSEWHERE, [
    counts.map(({ account_id }) => account_id),
    ...[beyond('followers'), beyond('following'), beyond('statuses')],
    ...[said('followers'), said('following'), said('statuses')],
  ]);
}

import { type Db, statement } from '#kernel/read.ts';

const STORE = statement(
  'rankings_store',
  `with timed as (
     insert into durable.ranking_times as t (kind, ranked_at) values ($1, $3)
     on conflict (kind) do update set ranked_at = excluded.ranked_at
   ), shorter as (
     delete from durable.rankings where kind = $1 and place > cardinality($2::text[])
   )
   insert into durable.rankings (kind, place, key)
   select $1, n.place, n.key from unnest($2::text[]) with ordinality as n (key, place)
   on conflict (kind, place) do update set key = excluded.key`,
);
const TIMES = statement<{ kind: string; ranked_at: string }>(
  'rankings_times',
  'select kind, ranked_at from durable.ranking_times where kind = any($1::text[])',
);

/** Replaces a ranking: its keys at `now` (ISO 8601), the first one first. */
export async function storeRanking(
  db: Db,
  kind: string,
  { keys, now }: { keys: readonly string[]; now: string },
): Promise<void> {
  await db.query(STORE, [kind, keys, now]);
}

/** Returns when each ranking was made (ISO 8601), without those that were never made. */
export async function rankingTimes(db: Db, kinds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query(TIMES, [kinds]);
  return new Map(rows.map(({ kind, ranked_at }) => [kind, new Date(ranked_at).toISOString()]));
}

/** Today and the six days before, as in Mastodon. */
export const HISTORY_DAYS = 7;

/**
 * SQL: the uses on each of these days (UTC), newest first, as a JSON list
 * (https://docs.joinmastodon.org/entities/Tag/#history). `usage` is joined to the days `d.day`: a relation
 * `u` with the columns `uses` and `accounts`, and the condition.
 */
export const historyOf = (usage: string): string => `(
  select json_agg(json_build_object(
      'day', extract(epoch from d.day)::bigint::text,
      'uses', coalesce(u.uses, 0)::text,
      'accounts', coalesce(u.accounts, 0)::text) order by d.day desc)
  from (select (now() at time zone 'utc')::date - back as day from generate_series(0, ${HISTORY_DAYS - 1}) back) d
  left join ${usage})`;

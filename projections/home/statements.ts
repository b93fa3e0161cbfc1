import { deleteRowsOf } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { ENTRIES } from './tables.ts';

/**
 * The number of posts that are inserted for a new follow or for a user who returns, and kept for an active
 * one.
 */
export const BACKFILL = 400;

interface Follow {
  account_id: string;
  target_account_id: string;
  reblogs: boolean;
  languages: string[] | null;
}

export const followColumns = (follows: readonly Follow[]): unknown[][] => [
  follows.map(({ account_id }) => account_id),
  follows.map(({ target_account_id }) => target_account_id),
  follows.map(({ reblogs }) => reblogs),
  follows.map(({ languages }) => languages && JSON.stringify(languages)),
];

/** Languages come as JSON texts, because Postgres has no arrays of arrays of different lengths. */
const FOLLOWS = `unnest($1::bigint[], $2::bigint[], $3::bool[], $4::text[])
     as n (account_id, target_account_id, reblogs, languages)`;
const LANGUAGES = `case when n.languages is null then null
     else array(select json_array_elements_text(n.languages::json)) end`;

export const FOLLOW = statement(
  'home_follow',
  `insert into home_follows (account_id, target_account_id, reblogs, languages)
   select n.account_id, n.target_account_id, n.reblogs, ${LANGUAGES} from ${FOLLOWS}`,
);
export const FOLLOW_BACKFILL = statement(
  'home_follow_backfill',
  `with newest as (
     select n.account_id, n.target_account_id, p.status_id
     from unnest($1::bigint[], $2::bigint[]) as n (account_id, target_account_id)
     join home_readers r on r.account_id = n.account_id
     cross join lateral (
       select status_id from home_posts where account_id = n.target_account_id order by status_id desc limit ${BACKFILL}
     ) p
   ), entered as (
     insert into home_entries (account_id, status_id) select account_id, status_id from newest on conflict do nothing
   ), full_pair as (
     select account_id, min(status_id) - 1 as below from newest
     group by account_id, target_account_id having count(*) = ${BACKFILL}
   )
   update home_readers r set complete_after = greatest(complete_after, f.below)
   from (select account_id, max(below) as below from full_pair group by account_id) f
   where r.account_id = f.account_id`,
);
/** The entries stay, however many there are: reads exclude authors who are no longer followed. */
const UNFOLLOW = statement(
  'home_unfollow',
  `delete from home_follows f using unnest($1::bigint[], $2::bigint[]) as u (account_id, target_account_id)
   where f.account_id = u.account_id and f.target_account_id = u.target_account_id`,
);
export async function unfollow(
  follows: readonly Pick<Follow, 'account_id' | 'target_account_id'>[],
  db: Db,
): Promise<void> {
  await db.query(UNFOLLOW, [
    follows.map(({ account_id }) => account_id),
    follows.map(({ target_account_id }) => target_account_id),
  ]);
}
export const SETTINGS = statement(
  'home_follow_settings',
  `update home_follows f set reblogs = n.reblogs, languages = ${LANGUAGES} from ${FOLLOWS}
   where f.account_id = n.account_id and f.target_account_id = n.target_account_id`,
);
export const READER_ACTIVITY = statement<{ account_id: string; active_on: string }>(
  'home_reader',
  'select account_id, active_on::text from home_readers where account_id = any($1::bigint[])',
);
export const TOUCH = statement(
  'home_reader_touch',
  `insert into home_readers (account_id, active_on, complete_after)
   select account_id, max(active_on), 0 from unnest($1::bigint[], $2::date[]) as n (account_id, active_on) group by account_id
   on conflict (account_id) do update set active_on = greatest(home_readers.active_on, excluded.active_on)`,
);
export const FORGET = deleteRowsOf(ENTRIES);
/** The newest posts are by the authors with the latest posts. `readers` selects the readers to fill, as `account_id`. */
export const fill = (readers: string): string => `
   with newest as materialized (
     select r.account_id, n.status_id from (${readers}) r cross join lateral (
       select p.status_id from (
         select a.account_id from (
           select target_account_id as id from home_follows where account_id = r.account_id union select r.account_id
         ) author join home_authors a on a.account_id = author.id
         where a.newest_id is not null order by a.newest_id desc limit ${BACKFILL}
       ) writer cross join lateral (
         select status_id from home_posts where account_id = writer.account_id order by status_id desc limit ${BACKFILL}
       ) p order by p.status_id desc limit ${BACKFILL}
     ) n
   ), entered as (
     insert into home_entries (account_id, status_id) select account_id, status_id from newest
     on conflict do nothing
   )
   update home_readers r set complete_after = case when n.posts = ${BACKFILL} then n.oldest - 1 else 0 end
   from (
     select f.account_id, count(n.status_id) as posts, min(n.status_id) as oldest
     from (${readers}) f left join newest n on n.account_id = f.account_id group by f.account_id
   ) n
   where r.account_id = n.account_id`;
export const FILL = statement('home_entries_fill', fill('select unnest($1::bigint[]) as account_id'));
export const TRIM = statement(
  'home_entries_trim',
  `with cut as materialized (
     select r.account_id, e.status_id from unnest($1::bigint[]) as r (account_id) cross join lateral (
       select status_id from home_entries where account_id = r.account_id order by status_id desc offset ${BACKFILL} limit 1
     ) e
   ), gone as (
     delete from home_entries e using cut where e.account_id = cut.account_id and e.status_id <= cut.status_id
   )
   update home_readers r set complete_after = greatest(r.complete_after, cut.status_id)
   from cut where r.account_id = cut.account_id`,
);

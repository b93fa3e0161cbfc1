import { statement } from '../../src/kernel/read.ts';

/**
 * The number of posts that are inserted for a new follow or for a user who returns, and kept for an active
 * one.
 */
const BACKFILL = 400;

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
export const UNFOLLOW = statement(
  'home_unfollow',
  `delete from home_follows f using unnest($1::bigint[], $2::bigint[]) as u (account_id, target_account_id)
   where f.account_id = u.account_id and f.target_account_id = u.target_account_id`,
);
export const SETTINGS = statement(
  'home_follow_settings',
  `update home_follows f set reblogs = n.reblogs, languages = ${LANGUAGES} from ${FOLLOWS}
   where f.account_id = n.account_id and f.target_account_id = n.target_account_id`,
);
export const READER_ACTIVITY = statement(
  'home_reader',
  'select active_on::text from home_readers where account_id = $1',
);
export const TOUCH = statement(
  'home_reader_touch',
  `insert into home_readers (account_id, active_on, complete_after) values ($1, $2, 0)
   on conflict (account_id) do update set active_on = greatest(home_readers.active_on, excluded.active_on)`,
);
export const FORGET = statement('home_entries_forget', 'delete from home_entries where account_id = $1');
/** The newest posts are by the authors with the latest posts. */
export const FILL = statement(
  'home_entries_fill',
  `with writer as (
     select a.account_id from (
       select target_account_id as id from home_follows where account_id = $1 union select $1
     ) author join home_authors a on a.account_id = author.id
     where a.newest_id is not null order by a.newest_id desc limit ${BACKFILL}
   ), newest as (
     select p.status_id from writer cross join lateral (
       select status_id from home_posts where account_id = writer.account_id order by status_id desc limit ${BACKFILL}
     ) p order by p.status_id desc limit ${BACKFILL}
   ), entered as (
     insert into home_entries (account_id, status_id) select $1, status_id from newest
   )
   update home_readers set complete_after =
     case when (select count(*) from newest) = ${BACKFILL} then (select min(status_id) - 1 from newest) else 0 end
   where account_id = $1`,
);
export const TRIM = statement(
  'home_entries_trim',
  `with cut as (
     select status_id from home_entries where account_id = $1 order by status_id desc offset ${BACKFILL} limit 1
   ), gone as (
     delete from home_entries e using cut where e.account_id = $1 and e.status_id <= cut.status_id
   )
   update home_readers set complete_after = greatest(complete_after, (select status_id from cut))
   where account_id = $1 and exists (select from cut)`,
);

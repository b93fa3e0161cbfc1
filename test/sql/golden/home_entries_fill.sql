with writer as (
  select a.account_id from (
    select target_account_id as id from home_follows where account_id = $1 union select $1
  ) author join home_authors a on a.account_id = author.id
  where a.newest_id is not null order by a.newest_id desc limit 400
), newest as (
  select p.status_id from writer cross join lateral (
    select status_id from home_posts where account_id = writer.account_id order by status_id desc limit 400
  ) p order by p.status_id desc limit 400
), entered as (
  insert into home_entries (account_id, status_id) select $1, status_id from newest
)
update home_readers set complete_after =
  case when (select count(*) from newest) = 400 then (select min(status_id) - 1 from newest) else 0 end
where account_id = $1

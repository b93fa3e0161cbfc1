with newest as materialized (
  select r.account_id, n.status_id from (select unnest($1::bigint[]) as account_id) r cross join lateral (
    select p.status_id from (
      select a.account_id from (
        select target_account_id as id from home_follows where account_id = r.account_id union select r.account_id
      ) author join home_authors a on a.account_id = author.id
      where a.newest_id is not null order by a.newest_id desc limit 400
    ) writer cross join lateral (
      select status_id from home_posts where account_id = writer.account_id order by status_id desc limit 400
    ) p order by p.status_id desc limit 400
  ) n
), entered as (
  insert into home_entries (account_id, status_id) select account_id, status_id from newest
  on conflict do nothing
)
update home_readers r set complete_after = case when n.posts = 400 then n.oldest - 1 else 0 end
from (
  select f.account_id, count(n.status_id) as posts, min(n.status_id) as oldest
  from (select unnest($1::bigint[]) as account_id) f left join newest n on n.account_id = f.account_id group by f.account_id
) n
where r.account_id = n.account_id

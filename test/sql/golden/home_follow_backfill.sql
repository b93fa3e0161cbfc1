with newest as (
  select n.account_id, n.target_account_id, p.status_id
  from unnest($1::bigint[], $2::bigint[]) as n (account_id, target_account_id)
  join home_readers r on r.account_id = n.account_id
  cross join lateral (
    select status_id from home_posts where account_id = n.target_account_id order by status_id desc limit 400
  ) p
), entered as (
  insert into home_entries (account_id, status_id) select account_id, status_id from newest on conflict do nothing
), full_pair as (
  select account_id, min(status_id) - 1 as below from newest
  group by account_id, target_account_id having count(*) = 400
)
update home_readers r set complete_after = greatest(complete_after, f.below)
from (select account_id, max(below) as below from full_pair group by account_id) f
where r.account_id = f.account_id

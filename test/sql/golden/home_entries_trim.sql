with cut as materialized (
  select r.account_id, e.status_id from unnest($1::bigint[]) as r (account_id) cross join lateral (
    select status_id from home_entries where account_id = r.account_id order by status_id desc offset 400 limit 1
  ) e
), gone as (
  delete from home_entries e using cut where e.account_id = cut.account_id and e.status_id <= cut.status_id
)
update home_readers r set complete_after = greatest(r.complete_after, cut.status_id)
from cut where r.account_id = cut.account_id

with cut as (
  select status_id from home_entries where account_id = $1 order by status_id desc offset 400 limit 1
), gone as (
  delete from home_entries e using cut where e.account_id = $1 and e.status_id <= cut.status_id
)
update home_readers set complete_after = greatest(complete_after, (select status_id from cut))
where account_id = $1 and exists (select from cut)

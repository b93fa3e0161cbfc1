with post as materialized (
  select * from unnest($1::bigint[], $2::bigint[], $3::bool[], $4::date[]) as p (account_id, status_id, direct, day)
), reached as materialized (
  select p.status_id, f.account_id from post p cross join lateral (
    select f.account_id from home_follows f join home_readers r on r.account_id = f.account_id
    where f.target_account_id = p.account_id and r.active_on > p.day - 30
    limit 20001
  ) f where not p.direct
), wide as materialized (
  select status_id from reached group by status_id having count(*) > 20000
), posted as (
  insert into home_posts (account_id, status_id, wide, direct)
  select p.account_id, p.status_id, exists (select from wide w where w.status_id = p.status_id), p.direct from post p
  on conflict (account_id, status_id) do update set wide = excluded.wide, direct = excluded.direct
), wrote as (
  insert into home_authors (account_id, newest_id, wide_id)
  select p.account_id, max(p.status_id), max(w.status_id)
  from post p left join wide w on w.status_id = p.status_id group by p.account_id
  on conflict (account_id) do update set
    newest_id = greatest(home_authors.newest_id, excluded.newest_id),
    wide_id = greatest(home_authors.wide_id, excluded.wide_id)
)
insert into home_entries (account_id, status_id)
select account_id, status_id from reached where status_id not in (select status_id from wide)
union all
select p.account_id, p.status_id from post p join home_readers r on r.account_id = p.account_id
where r.active_on > p.day - 30
on conflict do nothing

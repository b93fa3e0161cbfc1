select a.id as account_id, a.body as account_body, a.suspended, a.silenced,
  a.sensitized, a.media_rejected, greatest(ac.followers_count + ac.followers_elsewhere, 0) as followers_count, greatest(ac.following_count + ac.following_elsewhere, 0) as following_count, greatest(ac.statuses_count + ac.statuses_elsewhere, 0) as statuses_count, ac.last_status_at::text,
case when a.moved_to is not null then (
  select row_to_json(target) from (
    select mv.id as account_id, mv.body as account_body, mv.suspended, mv.silenced,
  mv.sensitized, mv.media_rejected, greatest(mvs.followers_count + mvs.followers_elsewhere, 0) as followers_count, greatest(mvs.following_count + mvs.following_elsewhere, 0) as following_count, greatest(mvs.statuses_count + mvs.statuses_elsewhere, 0) as statuses_count, mvs.last_status_at::text from accounts mv left join account_stats mvs on mvs.account_id = mv.id
    where mv.id = a.moved_to
  ) as target
) end as moved
 from (
   select s.account_id, s.acct_key is not distinct from $3 as exact, s.moved,
     exists (select from follows f where f.account_id = $1 and f.target_account_id = s.account_id offset 0) as followed,
     coalesce(st.followers_count, 0) as followers
   from account_search s
   left join account_stats st on st.account_id = s.account_id
   where s.terms @@ $2::tsquery and (s.acct_key = $3 or not $5::boolean)
   order by exact desc, s.moved, followed desc, followers desc, s.account_id offset 0
 ) m
 join accounts a on a.id = m.account_id left join account_stats ac on ac.account_id = a.id
 where (m.followed or not $4::boolean) and ((m.exact and (not a.suspended and (not (a.erased or a.gone) and not exists (
  select from users usr where usr.account_id = a.id and not (usr.confirmed and usr.approved) offset 0)))) or (((not a.suspended and not (true and (select exists (select from blocks where target_account_id = $1::bigint order by account_id offset 0)) and exists (
  select from blocks blk where blk.account_id = a.id and blk.target_account_id in ($1::bigint) offset 0))) and not ((select exists (select from blocks where account_id = $1::bigint order by target_account_id offset 0)) and true and exists (
  select from blocks blk where blk.account_id = $1::bigint and blk.target_account_id in (a.id) offset 0))) and (not (a.erased or a.gone) and not exists (
  select from users usr where usr.account_id = a.id and not (usr.confirmed and usr.approved) offset 0))))
 order by m.exact desc, m.moved, m.followed desc, m.followers desc, m.account_id
 limit $6 offset $7

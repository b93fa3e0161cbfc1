select (q.n - 1)::int as place, a.id as account_id, a.body as account_body, a.suspended, a.silenced,
  a.sensitized, a.media_rejected, greatest(ac.followers_count + ac.followers_elsewhere, 0) as followers_count, greatest(ac.following_count + ac.following_elsewhere, 0) as following_count, greatest(ac.statuses_count + ac.statuses_elsewhere, 0) as statuses_count, ac.last_status_at::text,
case when a.moved_to is not null then (
  select row_to_json(target) from (
    select mv.id as account_id, mv.body as account_body, mv.suspended, mv.silenced,
  mv.sensitized, mv.media_rejected, greatest(mvs.followers_count + mvs.followers_elsewhere, 0) as followers_count, greatest(mvs.following_count + mvs.following_elsewhere, 0) as following_count, greatest(mvs.statuses_count + mvs.statuses_elsewhere, 0) as statuses_count, mvs.last_status_at::text from accounts mv left join account_stats mvs on mvs.account_id = mv.id
    where mv.id = a.moved_to
  ) as target
) end as moved, a.profile, u.role, coalesce(u.privacy, case when a.locked then 'private' else 'public' end) as privacy,
   u.sensitive, u.language, u.quote_policy,
   (select count(*)::int from follow_requests r join accounts ra on ra.id = r.account_id
    where r.target_account_id = a.id and not ra.suspended) as follow_requests_count
 from unnest((select $1::bigint[])) with ordinality as q (id, n)
 join accounts a on a.id = q.id join users u on u.account_id = a.id left join account_stats ac on ac.account_id = a.id

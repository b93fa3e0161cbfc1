with page as materialized (
    select n.* from notifications n where n.account_id = $1 and n.id < $2 and n.id > $3 and n.type = any($5) and ($6 or not n.filtered)
         and $7::bigint is null and (select (fro.id = $1::bigint or (not fro.suspended
  and not ((select exists (select from blocks where account_id = $1::bigint order by target_account_id offset 0)) and true and exists (
  select from blocks blk where blk.account_id = $1::bigint and blk.target_account_id in (fro.id) offset 0)) and not (true and (select exists (select from blocks where target_account_id = $1::bigint order by account_id offset 0)) and exists (
  select from blocks blk where blk.account_id = fro.id and blk.target_account_id in ($1::bigint) offset 0))
  and not ((select exists (select from mutes where account_id = $1::bigint order by target_account_id offset 0)) and exists (
  select from mutes mut where mut.account_id = $1::bigint and mut.target_account_id in (fro.id) and mut.notifications
    and (mut.expires_at is null or mut.expires_at > now()) offset 0)) and not ((select exists (select from user_domain_blocks where account_id = $1::bigint order by domain offset 0)) and exists (
  select from user_domain_blocks dom
  where dom.account_id = $1::bigint and dom.domain = any(array(select giv.domain collate "C" from unnest(array[fro.domain]) as giv (domain)
  union all
  select array_to_string(lab.parts[cut.first:], '.') collate "C"
  from unnest(array[fro.domain]) as giv (domain)
  cross join lateral (select string_to_array(split_part(giv.domain collate "C", ':', 1), '.') as parts) lab
  cross join lateral generate_subscripts(lab.parts, 1) as cut (first))) offset 0))))
    and (n.status_id = 0 or ((not sta.deleted and (
  not aut.suspended and not (true and (select exists (select from blocks where target_account_id = $1::bigint order by account_id offset 0)) and exists (
  select from blocks blk where blk.account_id = aut.id and blk.target_account_id in ($1::bigint) offset 0)) and (
    sta.visibility in ('public', 'unlisted')
    or sta.account_id = $1::bigint
    or (sta.visibility = 'private' and exists (
          select from follows fol where fol.account_id = $1::bigint and fol.target_account_id = sta.account_id offset 0))
    or exists (
          select from status_mentions men where men.status_id = sta.id and men.account_id = $1::bigint offset 0)
  )
)) and not exists (
      select from thread_mutes thm where thm.account_id = $1::bigint and thm.conversation_id = sta.conversation_id)))
    and (n.type <> 'status' or not ((select exists (select from mutes where account_id = $1::bigint order by target_account_id offset 0)) and exists (
  select from mutes mut where mut.account_id = $1::bigint and mut.target_account_id in (fro.id)
    and (mut.expires_at is null or mut.expires_at > now()) offset 0)))
    and (n.type not like 'admin.%' or exists (
      select from users usr where usr.account_id = $1::bigint and usr.role is not null))
  from accounts fro left join statuses sta on sta.id = n.status_id left join accounts aut on aut.id = sta.account_id
  where fro.id = n.from_account_id) order by n.id desc limit $4
  )
  select n.id, n.type, n.status_id, n.created_at, case when not (n.type = any(array['favourite', 'reblog', 'follow', 'admin.sign_up']) and n.type in ('favourite', 'reblog', 'follow', 'admin.sign_up')) then 'ungrouped-' || n.id
   else n.type || case when n.status_id = 0 then '' else '-' || n.status_id end
     || '-' || n.span end as group_key,
a.id as account_id, a.body as account_body, a.suspended, a.silenced,
  a.sensitized, a.media_rejected, greatest(ac.followers_count + ac.followers_elsewhere, 0) as followers_count, greatest(ac.following_count + ac.following_elsewhere, 0) as following_count, greatest(ac.statuses_count + ac.statuses_elsewhere, 0) as statuses_count, ac.last_status_at::text,
case when a.moved_to is not null then (
  select row_to_json(target) from (
    select mv.id as account_id, mv.body as account_body, mv.suspended, mv.silenced,
  mv.sensitized, mv.media_rejected, greatest(mvs.followers_count + mvs.followers_elsewhere, 0) as followers_count, greatest(mvs.following_count + mvs.following_elsewhere, 0) as following_count, greatest(mvs.statuses_count + mvs.statuses_elsewhere, 0) as statuses_count, mvs.last_status_at::text from accounts mv left join account_stats mvs on mvs.account_id = mv.id
    where mv.id = a.moved_to
  ) as target
) end as moved from page n join accounts a on a.id = n.from_account_id left join account_stats ac on ac.account_id = a.id
  order by n.id desc
